import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { accountId } from '../src/account.ts'
import { type TestLedger, testLedgers } from './support/test-ledgers.ts'
import { sampleCharge, sampleLog, samplePriceJson, sampleUsageJson } from '@tollgate/testkit/sample-call'

const DAY_MS = 24 * 60 * 60 * 1000
const user = accountId('user', 1)
const token = accountId('token', 1)

const withTables = Object.entries(testLedgers).filter(
  ([name]) => !['in memory', 'SQLite in a file', 'SQLite with a journal'].includes(name),
)

/** Tests of totals, cleaning and audit, on storages with database tables. */
describe.each(withTables)('upkeep of a ledger %s', (_name, openTestLedger) => {
  let testLedger: TestLedger

  beforeAll(async () => {
    testLedger = await openTestLedger()
  })
  beforeEach(async () => {
    await testLedger.startOver()
    await testLedger.ledger().credit({ key: 'gift:new:1', account: user, amount: 1_000_000n })
    await testLedger.ledger().adjust({ key: 'free', account: token, delta: 0n, unlimited: true })
  })
  afterAll(() => testLedger.close())

  async function call(holdId: string, channelId = 3): Promise<void> {
    const hold = { holdId, userAccount: user, tokenAccount: token, amount: 10n, ceiling: 9_999n }
    await testLedger.ledger().reserve({ ...hold, priceJson: samplePriceJson })
    const settled = { holdId, amount: sampleCharge, flags: [], usageJson: sampleUsageJson, channelId }
    await testLedger.ledger().settle({ ...settled, log: sampleLog(holdId) })
  }

  async function totals(): Promise<Record<string, { used: bigint; calls: number }>> {
    const rows = await database().selectFrom('totals').selectAll().execute()
    return Object.fromEntries(rows.map(({ subject, used, calls }) => [subject, { used, calls }]))
  }

  function database() {
    const store = testLedger.store()
    if (!store) throw new Error('a house with a store')
    return store.db
  }

  it('derives the totals of users, tokens and channels from entries, with refunds subtracted', async () => {
    await call('a')
    await call('b', 4)
    await testLedger.ledger().rollUp()
    await call('c', 4)
    await testLedger.ledger().refund({ taskId: 't', requestId: 'c', amount: sampleCharge })
    await testLedger.ledger().rollUp()
    await testLedger.ledger().rollUp()
    expect(await totals()).toEqual({
      'user:1': { used: sampleCharge * 2n, calls: 3 },
      'token:1': { used: sampleCharge * 2n, calls: 3 },
      'channel:3': { used: sampleCharge, calls: 1 },
      'channel:4': { used: sampleCharge, calls: 2 },
    })
    expect((await testLedger.ledger().audit()).findings).toEqual([])
  })

  it('removes old entries, keeps their sums and all credits, and passes the audit', async () => {
    for (const id of ['a', 'b', 'c']) await call(id)
    testLedger.clock.advance(3 * DAY_MS)
    await call('new')
    await expect(testLedger.ledger().clean(testLedger.clock.nowMs())).rejects.toThrow('a day at least')
    expect(await testLedger.ledger().clean(testLedger.clock.nowMs() - DAY_MS)).toBe(3)
    expect(await testLedger.ledger().clean(testLedger.clock.nowMs() - DAY_MS)).toBe(0)
    const kept = await database().selectFrom('entry').select('op_key').orderBy('id').execute()
    expect(kept.map((row) => row.op_key)).toEqual(['gift:new:1', 'adjust:free', 'consume:new'])
    const rollups = await database().selectFrom('entry_rollup').selectAll().orderBy('account').execute()
    expect(rollups).toMatchObject([
      { account: user, channel_id: 3, consume_sum: sampleCharge * 3n, refund_sum: 0n },
      { account: token, channel_id: 3, consume_sum: sampleCharge * 3n, refund_sum: 0n },
    ])
    expect((await totals())['user:1']).toEqual({ used: sampleCharge * 4n, calls: 4 })
    expect((await testLedger.ledger().audit()).findings).toEqual([])
    const logs = await database().selectFrom('logs').select('request_id').execute()
    expect(logs).toHaveLength(4)
  })

  it('cleans while calls are in flight without affecting them', async () => {
    for (let old = 0; old < 40; old++) await call(`old-${old}`)
    testLedger.clock.advance(3 * DAY_MS)
    const calls = Array.from({ length: 120 }, (_, index) => call(`new-${index}`, 3 + (index % 2)))
    const cleaned = [0, 1, 2].map(() => testLedger.ledger().clean(testLedger.clock.nowMs() - DAY_MS))
    await Promise.all(calls)
    expect((await Promise.all(cleaned)).reduce((sum, removed) => sum + removed, 0)).toBe(40)
    // The timer may be rolling up the same rows, and then this run skips them; so poll.
    const total = () =>
      testLedger
        .ledger()
        .rollUp()
        .then(async () => (await totals())['user:1'])
    await expect.poll(total).toEqual({ used: sampleCharge * 160n, calls: 160 })
    const report = await testLedger.ledger().audit()
    expect(report).toMatchObject({ findings: [], entries: 122, holds: 0 })
  })

  it('tolerates clock jumps in either direction between the steps of a call', async () => {
    const jumps = [-DAY_MS, 40 * DAY_MS, -400 * DAY_MS, 365 * DAY_MS]
    for (const [index, jump] of jumps.entries()) {
      const hold = {
        holdId: `jump-${index}`,
        userAccount: user,
        tokenAccount: token,
        amount: 10n,
        ceiling: 9_999n,
      }
      await testLedger.ledger().reserve({ ...hold, priceJson: samplePriceJson })
      testLedger.clock.advance(jump)
      await testLedger.ledger().rollUp()
      const settled = { holdId: hold.holdId, amount: sampleCharge, flags: [], usageJson: sampleUsageJson }
      const charged = await testLedger.ledger().settle({ ...settled, channelId: 3 })
      expect(charged).toEqual({ charged: sampleCharge, waived: 0n, late: false })
    }
    await testLedger.ledger().rollUp()
    expect((await totals())['user:1']).toEqual({ used: sampleCharge * 4n, calls: 4 })
    expect((await testLedger.ledger().audit()).findings).toEqual([])
  })

  it('records no waived amount for ordinary charges, refunds and recoveries', async () => {
    await call('a')
    await testLedger.ledger().refund({ taskId: 't', requestId: 'a', amount: sampleCharge })
    await testLedger
      .ledger()
      .reserve({ holdId: 'b', userAccount: user, amount: 5n, ceiling: 5n, priceJson: '{}' })
    await testLedger.crash()
    const entries = await database().selectFrom('entry').select(['kind', 'waived']).orderBy('id').execute()
    const kinds = ['credit', 'adjust', 'consume', 'refund', 'adjust', 'consume']
    expect(entries).toEqual(kinds.map((kind) => ({ kind, waived: 0n })))
  })

  it('loses nothing when usage log rows are deleted', async () => {
    await call('a')
    await database().deleteFrom('logs').execute()
    expect(await testLedger.ledger().audit()).toMatchObject({ findings: [], entries: 3 })
  })

  it.each([
    ['I3', 'update account set granted = granted + 7, remaining = remaining + 7 where id = 4'],
    ['I3', "update hold set amount = amount - 1, ceiling = ceiling - 1 where id = 'open'"],
    ['I4', 'update account set used = used + 7, remaining = remaining - 7 where id = 4'],
    ['I4', "update totals set used = used + 1 where subject = 'channel:3'"],
    ['I8', "update hold set id = 'a' where id = 'open'"],
    ['I9', "update entry set usage_json = replace(usage_json, '345', '9345') where op_key = 'consume:a'"],
    ['I9', "update entry set price_json = '{}' where op_key = 'consume:a'"],
  ])('the audit reports a violation of %s without repairing it: %s', async (rule, tampering) => {
    await call('a')
    await testLedger
      .ledger()
      .reserve({ holdId: 'open', userAccount: user, amount: 5n, ceiling: 5n, priceJson: samplePriceJson })
    await testLedger.ledger().rollUp()
    expect((await testLedger.ledger().audit()).findings).toEqual([])
    await sql.raw(tampering).execute(database())
    const found = (await testLedger.ledger().audit()).findings.map((finding) => finding.rule)
    expect(new Set(found)).toEqual(new Set([rule]))
    expect(testLedger.alarms).toContainEqual(expect.objectContaining({ type: 'audit_finding' }))
    expect((await testLedger.ledger().audit()).findings).toHaveLength(found.length)
    await testLedger
      .ledger()
      .release({ holdId: 'open' })
      .catch(() => undefined)
  })

  it.each([
    ['I1', 'update account set granted = granted + 1 where id = 4'],
    ['I2', 'update account set remaining = -1, granted = granted - remaining - 1 where id = 4'],
    ['I2', 'update account set debt = debt + 1, remaining = remaining + 1 where id = 4'],
    ['I5', "update entry set op_key = 'consume:b' where op_key = 'consume:a'"],
    ['I5', "update entry set op_key = 'gift:new:1' where op_key = 'adjust:free'"],
    ['I10', "update entry set amount = -1 where op_key = 'consume:a'"],
  ])('the schema rejects a violation of %s: %s', async (_rule, tampering) => {
    await call('a')
    await expect(sql.raw(tampering).execute(database())).rejects.toMatchObject({ kind: 'constraint' })
  })

  it('reports the number of open holds, the age of the oldest, and the total debt', async () => {
    const hold = { userAccount: user, amount: 5n, ceiling: 9_000_000n, priceJson: '{}' }
    await testLedger.ledger().reserve({ ...hold, holdId: 'dear' })
    await testLedger.ledger().settle({ holdId: 'dear', amount: 1_000_050n, flags: [], usageJson: '' })
    const gauges = { openHolds: 0, oldestHoldMs: 0, debtTotal: 50n, interrupted: 0 }
    expect(await testLedger.ledger().gauges()).toEqual(gauges)
    await testLedger.ledger().reserve({ ...hold, amount: 0n, holdId: 'open' })
    testLedger.clock.advance(1_500)
    expect(await testLedger.ledger().gauges()).toEqual({ ...gauges, openHolds: 1, oldestHoldMs: 1_500 })
    expect(testLedger.ledger().health()).toMatchObject({ openHolds: 1, isWritable: true, queued: 0 })
  })
})
