import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tollgate/kit/clock'
import { StoreError } from '@tollgate/store/database/errors'
import type { Store } from '@tollgate/store/database/open-store'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Command } from '../src/core/command.ts'
import type { Ledger } from '../src/ledger.ts'
import { accountId } from '../src/account.ts'
import { MemoryTables } from '../src/memory/tables.ts'
import { openMemoryLedger } from '../src/memory/index.ts'
import { openLedger } from '../src/open-ledger.ts'
import { perform } from './support/perform.ts'
import { sampleLog } from '@tollgate/testkit/sample-call'
import { openNewStore } from '@tollgate/testkit/new-store'

const user = accountId('user', 1)
const token = accountId('token', 1)
const affiliate = accountId('affiliate', 1)
const hold = { userAccount: user, tokenAccount: token, amount: 100n, ceiling: 300n, priceJson: '{}' }
const settled = { flags: [], usageJson: '' }

/** Every kind of operation, in groups that share a batch. */
const script: readonly (readonly Command[])[] = [
  [
    { type: 'credit', input: { key: 'gift:new:1', account: user, amount: 1_000n } },
    { type: 'credit', input: { key: 'invite:2', account: affiliate, amount: 50n } },
    { type: 'adjust', input: { key: 'token', account: token, delta: 600n } },
  ],
  [
    { type: 'reserve', input: { ...hold, holdId: 'a' } },
    { type: 'reserve', input: { ...hold, holdId: 'b' } },
  ],
  [
    { type: 'checkpoint', input: { holdId: 'a', amount: 40n } },
    { type: 'extend', input: { holdId: 'b', amount: 50n } },
  ],
  [
    { type: 'settle', input: { ...settled, holdId: 'a', amount: 250n, log: sampleLog('a') } },
    { type: 'release', input: { holdId: 'b', log: sampleLog('b') } },
  ],
  [
    { type: 'refund', input: { taskId: 'task', requestId: 'a', amount: 250n } },
    { type: 'transfer', input: { key: 'move', from: affiliate, to: user, amount: 30n } },
    { type: 'reserve', input: { ...hold, holdId: 'left open' } },
  ],
]

/** Throws once, at the call with this number. */
function failAt(count: number, error: () => Error): { before: () => void; hasFailed: () => boolean } {
  let seen = 0
  return {
    before() {
      if (++seen === count) throw error()
    },
    hasFailed: () => seen >= count,
  }
}

const ioError = (): Error => new StoreError('fatal', 'disk I/O error', { code: 10 })
const slip = (): Error => new StoreError('constraint', 'a check failed', { code: 275 })

interface Done {
  readonly command: Command
  readonly answer: unknown
}

async function runScript(ledger: Ledger): Promise<readonly Done[]> {
  const acknowledged: Done[] = []
  for (const group of script) {
    const answers = await Promise.allSettled(group.map((command) => perform(ledger, command)))
    for (const [index, command] of group.entries()) {
      const answer = answers[index]
      if (answer?.status === 'fulfilled' && !isUnavailable(answer.value))
        acknowledged.push({ command, answer: answer.value })
    }
  }
  return acknowledged
}

function isUnavailable(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'type' in answer && answer.type === 'unavailable'
}

/** After the restart, repeats every acknowledged operation and expects that it was already applied. */
async function expectKept(ledger: Ledger, acknowledged: readonly Done[]): Promise<void> {
  for (const { command, answer } of acknowledged) {
    if (command.type === 'settle') expect(await perform(ledger, command)).toEqual(answer)
    if (isRepeatable(answer)) expect(await perform(ledger, command)).toEqual({ ...answer, repeated: true })
  }
  expect((await ledger.audit()).findings).toEqual([])
  const gauges = await ledger.gauges()
  expect(gauges.openHolds).toBe(0)
}

/** Whether the operation reports a repetition: credits, adjustments, refunds and transfers do. */
function isRepeatable(answer: unknown): answer is { repeated: boolean } {
  return typeof answer === 'object' && answer !== null && 'repeated' in answer
}

const OPERATIONS = script.flat().length

let directory = ''
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-nth-'))
  const store = await openNewStore({ sqlitePath: join(directory, 'empty.db'), inline: {} })
  await store.close()
})
afterAll(() => rmSync(directory, { recursive: true }))

interface Opened {
  readonly store: Store
  readonly ledger: Ledger
  readonly disarm: () => void
}

async function openAt(sqlitePath: string, before?: () => void): Promise<Opened> {
  let isArmed = false
  const inline = before ? { before: () => (isArmed ? before() : undefined) } : {}
  const store = await openNewStore({ sqlitePath, inline })
  const ledger = await openLedger({ store, clock: systemClock })
  isArmed = true
  const disarm = (): void => {
    isArmed = false
  }
  return { store, ledger, disarm }
}

/** Calls `attempt` with 1, 2, 3 … until no failure occurs any more; returns the number of failures. */
async function everyN(attempt: (count: number) => Promise<boolean>): Promise<number> {
  let count = 1
  while (await attempt(count)) count++
  return count - 1
}

it('SQLite: an I/O error at any statement loses no acknowledged operation', async () => {
  const failed = await everyN(async (count) => {
    const path = join(directory, `io-${count}.db`)
    copyFileSync(join(directory, 'empty.db'), path)
    const fault = failAt(count, ioError)
    const first = await openAt(path, fault.before)
    const acknowledged = await runScript(first.ledger)
    expect(first.store.isWritable).toBe(!fault.hasFailed())
    await first.store.close()
    const second = await openAt(path)
    await expectKept(second.ledger, acknowledged)
    await second.ledger.close()
    await second.store.close()
    return fault.hasFailed()
  })
  console.log(`${failed} statements failed in turn, each in a run of ${OPERATIONS} operations`)
  expect(failed).toBeGreaterThanOrEqual(60)
})

it('SQLite: a rejected statement fails at most the operation that was alone in its batch', async () => {
  const failed = await everyN(async (count) => {
    const fault = failAt(count, slip)
    const { store, ledger, disarm } = await openAt(':memory:', fault.before)
    const hasAnswered = (await runScript(ledger)).length
    disarm()
    // A batch with a single operation cannot be split further, so exactly that operation fails.
    expect(hasAnswered).toBeGreaterThanOrEqual(OPERATIONS - 1)
    expect(store.isWritable).toBe(true)
    expect((await ledger.audit()).findings).toEqual([])
    await store.close()
    return fault.hasFailed()
  })
  console.log(`${failed} statements were refused in turn, each in a run of ${OPERATIONS} operations`)
  expect(failed).toBeGreaterThanOrEqual(60)
})

it('memory: a store failure at any read or commit loses no acknowledged operation', async () => {
  const failed = await everyN(async (count) => {
    const fault = failAt(count, ioError)
    let isArmed = false
    const tables = new MemoryTables(() => (isArmed ? fault.before() : undefined))
    const first = await openMemoryLedger({ clock: systemClock, tables })
    isArmed = true
    const acknowledged = await runScript(first)
    isArmed = false
    const second = await openMemoryLedger({ clock: systemClock, tables })
    await expectKept(second, acknowledged)
    await second.close()
    return fault.hasFailed()
  })
  console.log(`${failed} calls failed in turn, each in a run of ${OPERATIONS} operations`)
  expect(failed).toBeGreaterThanOrEqual(30)
})
