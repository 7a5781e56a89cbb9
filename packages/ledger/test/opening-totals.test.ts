import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import { openChannelTotals, openUserTotals } from '../src/opening-totals.ts'
import { type TestLedger, testLedgers } from './support/test-ledgers.ts'

let testLedger: TestLedger
beforeAll(async () => {
  testLedger = await testLedgers['SQLite in memory']()
})
afterAll(() => testLedger.close())

it('imported totals of an earlier system are added to the totals, and the audit agrees', async () => {
  const db = testLedger.store()?.db
  if (!db) throw new Error('this house has a database')
  const ledger = testLedger.ledger()
  const user = accountId('user', 1)
  await ledger.open({ key: 'import:there:user:1', account: user, remaining: 1_000n, used: 900n })
  await openUserTotals(db, [
    { id: 1, calls: 12 },
    { id: 2, calls: 0 },
  ])
  await openChannelTotals(db, [{ id: 3, used: 600n }], 1_000)
  await openChannelTotals(db, [{ id: 4, used: 250n }], 2_000)
  expect((await ledger.audit()).findings).toEqual([])

  await ledger.reserve({ holdId: 'call', userAccount: user, amount: 10n, ceiling: 10n, priceJson: '{}' })
  await ledger.settle({ holdId: 'call', amount: 10n, flags: [], channelId: 3, usageJson: '' })
  await ledger.rollUp()
  const totals = await db
    .selectFrom('totals')
    .select(['subject', 'used', 'calls'])
    .orderBy('subject')
    .execute()
  expect(totals).toEqual([
    { subject: 'channel:3', used: 610n, calls: 1 },
    { subject: 'channel:4', used: 250n, calls: 0 },
    { subject: 'user:1', used: 10n, calls: 13 },
  ])
  expect((await ledger.audit()).findings).toEqual([])

  await db.updateTable('totals').set({ used: 611n }).where('subject', '=', 'channel:3').execute()
  expect((await ledger.audit()).findings).toMatchObject([{ rule: 'I4' }])
})
