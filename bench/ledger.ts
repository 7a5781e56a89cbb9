/**
 * `npm run bench -- ledger [--quick]`: measures the ledger alone over each available store and compares it
 * with its performance targets.
 */
import { availableParallelism, cpus } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { judge } from './src/ledger/aims.ts'
import { measureFlush } from './src/ledger/flush.ts'
import { type StoreFigures, measureStore } from './src/ledger/measure-store.ts'
import { aimTable, figureTable } from './src/ledger/report.ts'
import { findStores } from './src/ledger/stores.ts'
import { say } from './src/say.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const seconds = values.quick ? 1 : 5
const holds = values.quick ? 2_000 : 10_000

const { stores, leftOut } = await findStores()
const model = cpus()[0]?.model ?? 'unknown processor'
say(`${availableParallelism()} cores (${model}), Node ${process.version}; ${seconds} s a figure`)
const flush = await measureFlush()
say(`a flush of 4 KiB to this disk: median ${flush.medianMs.toFixed(2)} ms, p99 ${flush.p99Ms.toFixed(2)} ms`)
const measured: { name: string; figures: StoreFigures }[] = []
for (const store of stores) {
  say(`measuring ${store.name} …`)
  measured.push({ name: store.name, figures: await measureStore(store, { seconds, holds }) })
}
say(`\n${figureTable(measured)}\n\n${aimTable(measured.flatMap(judge))}`)
for (const line of leftOut) say(`\nLEFT OUT: ${line}`)
