// Measures the ledger alone on a file with full sync: `node packages/ledger/test/throughput.ts [seconds] [callers]`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@tollgate/kit/clock'
import { requestId } from '@tollgate/kit/ids'
import { openStore } from '@tollgate/store/open-store'
import { type Ledger, accountId } from '../src/ledger.ts'
import { openLedger } from '../src/open-ledger.ts'
import { sampleCharge, sampleLog, samplePriceJson, sampleUsageJson } from './support/sample-call.ts'

const [seconds = 3, callers = 256] = process.argv.slice(2).map(Number)
const USERS = 50

interface Shape {
  readonly name: string
  readonly withLog: boolean
}

async function measure(ledger: Ledger, { name, withLog }: Shape): Promise<void> {
  const untilMs = performance.now() + seconds * 1000
  let pairs = 0
  const cpuBefore = process.cpuUsage()
  const elBefore = performance.eventLoopUtilization()
  const call = async (caller: number): Promise<void> => {
    while (performance.now() < untilMs) {
      await pair(ledger, caller, withLog)
      pairs++
    }
  }
  const startMs = performance.now()
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  const elapsed = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  const loop = performance.eventLoopUtilization(elBefore).utilization
  console.log(
    `${name}: ${Math.round(pairs / elapsed)} pairs/s, ${((user + system) / pairs).toFixed(1)} µs processor time a pair, ` +
      `event loop ${(loop * 100).toFixed(0)} % busy, last batch ${ledger.health().lastBatchSize}`,
  )
}

async function pair(ledger: Ledger, caller: number, withLog: boolean): Promise<void> {
  const holdId = requestId(Date.now())
  const userAccount = accountId('user', 1 + (caller % USERS))
  const tokenAccount = accountId('token', 1 + (caller % (2 * USERS)))
  const hold = {
    holdId,
    userAccount,
    tokenAccount,
    amount: 900n,
    ceiling: 4_000n,
    priceJson: samplePriceJson,
  }
  const reserved = await ledger.reserve(hold)
  if (reserved.type !== 'reserved') throw new Error(reserved.type)
  const log = withLog ? { log: sampleLog(holdId) } : {}
  await ledger.settle({
    holdId,
    amount: sampleCharge,
    flags: [],
    channelId: 3,
    usageJson: sampleUsageJson,
    ...log,
  })
}

async function latency(ledger: Ledger, perSecond: number): Promise<void> {
  const times: number[] = []
  const running: Promise<void>[] = []
  const startMs = performance.now()
  for (let index = 0; index < perSecond * seconds; index++) {
    const wait = startMs + (index * 1000) / perSecond - performance.now()
    if (wait > 0) await sleep(wait)
    const before = performance.now()
    running.push(pair(ledger, index, true).then(() => void times.push(performance.now() - before)))
  }
  await Promise.all(running)
  times.sort((left, right) => left - right)
  const at = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(2)
  console.log(
    `${perSecond} calls/s: reserve+settle median ${at(0.5)} ms, p99 ${at(0.99)} ms, ${times.length} calls`,
  )
}

const directory = mkdtempSync(join(tmpdir(), 'ledger-throughput-'))
const store = await openStore({ sqlitePath: join(directory, 'ledger.db') })
const ledger = await openLedger({ store, clock: systemClock })
for (let user = 1; user <= USERS; user++)
  await ledger.credit({ key: `gift:new:${user}`, account: accountId('user', user), amount: 10n ** 15n })
for (let token = 1; token <= 2 * USERS; token++)
  await ledger.adjust({ key: `u${token}`, account: accountId('token', token), delta: 0n, unlimited: true })
await measure(ledger, { name: 'warm-up', withLog: true })
await measure(ledger, { name: 'entry only', withLog: false })
await measure(ledger, { name: 'entry and log row', withLog: true })
await latency(ledger, 500)
const report = await ledger.audit()
console.log(
  `audit: ${report.entries} entries in ${report.durationMs.toFixed(0)} ms, ${report.findings.length} findings`,
)
await ledger.close()
await store.close()
rmSync(directory, { recursive: true })
