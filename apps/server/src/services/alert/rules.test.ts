import { ManualClock } from '@tollgate/kit/clock'
import type { LedgerHealth } from '@tollgate/ledger/ledger'
import { insertTraffic } from '@tollgate/store/channels/traffic'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { writeNodeFigures } from '@tollgate/store/operations/node-figures'
import { insertWork, postponeWork, takeWork } from '@tollgate/store/operations/outbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newToken, newUser } from '../../../test/relay/rows.ts'
import type { Options } from '../services.ts'
import { refusedCertificate } from './certificate.ts'
import { type AlertRuleName, type RuleParts, alertRules } from './rules.ts'

const clock = new ManualClock(Date.UTC(2026, 10, 24, 12))
let store: Store

beforeAll(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
})
afterAll(() => store.close())

function find(
  rule: AlertRuleName,
  set: Readonly<Record<string, number>> = {},
  parts: Partial<RuleParts> = {},
) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the limits of rules are all numbers
  const options = { get: (key: string) => set[key] ?? 0 } as Options
  return alertRules[rule].find({
    store: store.db,
    clock,
    options,
    ledger: {
      health: () => ({ ...health, isWritable: true }),
      gauges,
    },
    snapshots: { roster: () => ({ ...noRoster, all: () => [] }) },
    isResting: () => false,
    certificateProblem: async () => undefined,
    isCopy: () => false,
    ...parts,
  })
}

const gauges = async () => ({ openHolds: 0, oldestHoldMs: 0, debtTotal: 700n, interrupted: 0 })
const health = {
  queued: 0,
  openHolds: 0,
  batches: 0,
  lastBatchSize: 0,
  lastCommitMs: 0,
  recovered: 0,
  corrections: 0,
  refused: 0,
}
const noRoster = {
  candidates: () => ({ model: '', tiers: [] }),
  channel: () => undefined,
  isListed: () => false,
  models: () => [],
}

const foundWith = (more: Partial<LedgerHealth>) =>
  find('journal', {}, { ledger: { health: () => ({ ...health, isWritable: true, ...more }), gauges } })

test('a ledger that cannot be written or that lags behind its journal is reported', async () => {
  expect(await foundWith({ foldLagMs: 150 })).toEqual([])
  expect(await foundWith({ foldLagMs: 90_000 })).toMatchObject([{ values: { seconds: 90 } }])
  expect(await foundWith({ isWritable: false })).toHaveLength(1)
  expect(await foundWith({ journaled: 2 })).toHaveLength(1)
})

test('the budget of an administrator’s token counts, and that of a user does not', async () => {
  for (const role of [1, 10]) {
    const { id: user } = await store.db
      .insertInto('users')
      .values({ ...newUser(), role })
      .returning('id')
      .executeTakeFirstOrThrow()
    const budget = { budget_quota: 100n, budget_period: 'day' }
    const { id: token } = await store.db
      .insertInto('tokens')
      .values({ ...newToken(`key of ${role}`, user), ...budget })
      .returning('id')
      .executeTakeFirstOrThrow()
    const amounts = { granted: 1000n, remaining: 915n, reserved: 0n, used: 85n, debt: 0n, followed: 0n }
    await store.db
      .insertInto('account')
      .values({
        id: token * 4 + 1,
        kind: 'token',
        owner_id: token,
        ...amounts,
        unlimited: 0,
        version: 1,
        budget_since_ms: clock.nowMs(),
        budget_base: 0n,
      })
      .execute()
  }
  expect(await find('budget')).toMatchObject([{ values: { percent: 85 } }])
})

test('work that nobody takes is stuck, and work that is tried again later is not', async () => {
  const work = { kind: 'webhook', payload: '', dueMs: clock.nowMs(), nowMs: clock.nowMs() }
  await insertWork(store.db, { ...work, cause: 'one' })
  const { id } = await store.db.selectFrom('outbox').select('id').executeTakeFirstOrThrow()
  clock.advance(3_600_000)
  expect(await find('outbox')).toMatchObject([{ values: { minutes: 60 } }])
  await takeWork(store.db, { id, attempts: 0, untilMs: clock.nowMs() + 1 })
  await postponeWork(store.db, { id, attempts: 1, dueMs: clock.nowMs() + 7_200_000, reason: 'down' })
  expect(await find('outbox')).toEqual([])
})

test('a share of failures counts from twenty requests on', async () => {
  const row = { channel_id: 1, at_ms: clock.nowMs(), first_bytes: '', errors: '' }
  await insertTraffic(store.db, [{ ...row, succeeded: 10, failed: 9 }])
  expect(await find('errors', { AlertErrorPercent: 20 })).toEqual([])
  await insertTraffic(store.db, [{ ...row, succeeded: 10, failed: 1 }])
  expect(await find('errors', { AlertErrorPercent: 20 })).toMatchObject([
    { values: { percent: 33, all: 30 } },
  ])
  expect(await find('errors', { AlertErrorPercent: 0 })).toEqual([])
})

test('debt counts above its limit, and a limit of 0 is none', async () => {
  expect(await find('debt', { AlertDebt: 699 })).toMatchObject([{ values: { debt: '700' } }])
  expect(await find('debt', { AlertDebt: 700 })).toEqual([])
  expect(await find('debt')).toEqual([])
})

test('only a refused certificate is a certificate problem', () => {
  const tls = Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' })
  const down = Object.assign(new Error('x'), { code: 'ECONNREFUSED' })
  expect(refusedCertificate(new Error('failed', { cause: tls }))).toBe('CERT_HAS_EXPIRED')
  expect(refusedCertificate(new Error('failed', { cause: down }))).toBeUndefined()
})

test('a disk with less than 10 % or 1 GiB of room is found, by its host', async () => {
  const GIB = 1024 ** 3
  const disks: readonly (readonly [string, number | null, number | null])[] = [
    ['roomy', 50 * GIB, 100 * GIB],
    ['percent', 9 * GIB, 100 * GIB],
    ['bytes', GIB - 1, 4 * GIB],
    ['both', 0, 100 * GIB],
    ['just', 10 * GIB, 100 * GIB],
    ['unknown', null, null],
  ]
  for (const [host, free, size] of disks)
    await writeNodeFigures(store.db, {
      id: host,
      at_ms: clock.nowMs(),
      figures: JSON.stringify({ host, disk_free_bytes: free, disk_size_bytes: size }),
    })
  const found = await find('disk')
  expect(found.map(({ subject }) => subject).toSorted()).toEqual(['both', 'bytes', 'percent'])
  clock.advance(10 * 60_000)
  expect(await find('disk')).toEqual([])
})
