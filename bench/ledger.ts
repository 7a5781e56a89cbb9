/**
 * `npm run bench -- ledger [--quick] [--store a,b] [--seconds n] [--only folded]`: measures the ledger alone over
 * each available store and compares it with its performance targets.
 */
import { availableParallelism, cpus } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { AimKey } from './src/aims/aims.ts'
import { reportAims } from './src/aims/figures-file.ts'
import { judge } from './src/ledger/aims.ts'
import { measureFlush } from './src/ledger/flush.ts'
import { type StoreFigures, measureFolded, measureStore } from './src/ledger/measure-store.ts'
import { aimTable, figureTable } from './src/ledger/report.ts'
import { type MeasuredStore, findStores } from './src/ledger/stores.ts'
import { say } from './src/say.ts'

/** MySQL has the aim of MariaDB. */
const FOLDED: Readonly<Record<MeasuredStore['name'], AimKey>> = {
  SQLite: 'folded-sqlite',
  PostgreSQL: 'folded-postgres',
  MariaDB: 'folded-mariadb',
  MySQL: 'folded-mariadb',
}
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    store: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string' },
  },
})
const seconds = Number(values.seconds ?? (values.quick ? '1' : '5'))
const holds = values.quick ? 2_000 : 10_000

const { stores, leftOut } = await findStores()
const model = cpus()[0]?.model ?? 'unknown processor'
say(`${availableParallelism()} cores (${model}), Node ${process.version}; ${seconds} s a figure`)
const flush = await measureFlush()
say(`a flush of 4 KiB to this disk: median ${flush.medianMs.toFixed(2)} ms, p99 ${flush.p99Ms.toFixed(2)} ms`)
const asked = values.store?.split(',')
const chosen = stores.filter(({ name }) => asked?.includes(name) ?? true)
await (values.only === 'folded' ? folded() : everything())
for (const line of leftOut) say(`\nLEFT OUT: ${line}`)

async function everything(): Promise<void> {
  const measured: { name: string; figures: StoreFigures }[] = []
  for (const store of chosen) {
    say(`measuring ${store.name} …`)
    measured.push({ name: store.name, figures: await measureStore(store, { seconds, holds }) })
  }
  say(`\n${figureTable(measured)}\n\n${aimTable(measured.flatMap(judge))}`)
}

async function folded(): Promise<void> {
  const figures: Partial<Record<AimKey, number>> = {}
  for (const store of chosen) {
    const perSecond = await measureFolded(store, seconds)
    say(`${store.name}: ${perSecond.toFixed(0)} calls/s with entry, log row and accounts, over ${seconds} s`)
    figures[FOLDED[store.name]] = perSecond
  }
  reportAims(figures)
}
