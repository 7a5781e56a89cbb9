import type { NewWork } from '@tollgate/store/operations/outbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import { type TestLedger, testLedgers } from './support/test-ledgers.ts'

describe.each(Object.entries(testLedgers))('an adjustment in the ledger %s', (_name, openTestLedger) => {
  let testLedger: TestLedger
  beforeAll(async () => {
    testLedger = await openTestLedger()
  })
  afterAll(() => testLedger.close())

  const account = accountId('user', 1)
  const adjust = (key: string, expected?: bigint) =>
    testLedger.ledger().adjust({ key, account, delta: 100n, expected, notice: noticeOf(key) })

  it('queues its notice once, in its own transaction, and not when it is refused', async () => {
    expect(await adjust('refused', 7n)).toEqual({ type: 'changed', actual: 0n })
    expect(await testLedger.causes()).toEqual([])
    await Promise.all([adjust('once'), adjust('once')])
    await testLedger.crash()
    expect(await testLedger.causes()).toEqual(['adjust:once'])
    expect(await adjust('once')).toEqual({ type: 'adjusted', before: 0n, after: 100n, repeated: true })
    expect(await testLedger.causes()).toHaveLength(1)
  })
})

function noticeOf(key: string): NewWork {
  return { cause: `adjust:${key}`, kind: 'quota-change', payload: 'sealed', dueMs: 9_000, nowMs: 9_000 }
}
