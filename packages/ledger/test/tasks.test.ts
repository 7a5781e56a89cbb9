import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewTask, RefundInput } from '../src/inputs.ts'
import { accountId } from '../src/account.ts'
import { type TestLedger, type KeptRow, testLedgers } from './support/test-ledgers.ts'

/**
 * Tests of tasks, which outlive their call: the row is created with the charge and ended with the refund,
 * each in one transaction.
 */
describe.each(Object.entries(testLedgers))('tasks in the ledger %s', (_name, openTestLedger) => {
  let testLedger: TestLedger
  let lastOwner = 0

  beforeAll(async () => {
    testLedger = await openTestLedger()
  })
  afterAll(async () => {
    expect(await testLedger.ledger().audit()).toMatchObject({ findings: [] })
    await testLedger.close()
  })

  /** Creates a user and a token with 1,000 units each and an open call that holds 100. */
  async function caller() {
    const owner = ++lastOwner
    const user = accountId('user', owner)
    const token = accountId('token', owner)
    const holdId = `call-${owner}`
    const ledger = testLedger.ledger()
    await ledger.credit({ key: `gift:new:${owner}`, account: user, amount: 1_000n })
    await ledger.adjust({ key: `token-${owner}`, account: token, delta: 1_000n })
    await ledger.reserve({
      holdId,
      userAccount: user,
      tokenAccount: token,
      amount: 100n,
      ceiling: 100n,
      priceJson: samplePriceJson,
      isShared: true,
    })
    return { owner, user, token, holdId }
  }

  /** The same, with a call that started a task and was settled at 80. */
  async function submitted() {
    const somebody = await caller()
    await settle(somebody.holdId, somebody.owner)
    return { ...somebody, row: await rowOf(somebody.holdId) }
  }

  const settle = (holdId: string, owner: number) =>
    testLedger.ledger().settle({
      holdId,
      amount: 80n,
      flags: [],
      channelId: 3,
      usageJson: '',
      task: newTask(owner),
    })

  async function rowOf(holdId: string): Promise<KeptRow> {
    const row = await testLedger.taskRow(holdId)
    if (!row) throw new Error(`the call ${holdId} has no task`)
    return row
  }

  const balance = async (account: number) => testLedger.ledger().balance(account)

  it('are created once, with the charge of their call', async () => {
    const { holdId, owner, row } = await submitted()
    expect(row).toMatchObject({ version: 1, quota: 80n, status: 'NOT_START', channel_id: 3 })
    await settle(holdId, owner)
    expect((await rowOf(holdId)).id).toBe(row.id)
  })

  it('end in the same transaction as their refund, which reaches every account', async () => {
    const { holdId, row, user, token } = await submitted()
    const log = { ...sampleLog(`refund-${holdId}`), quota: 80n }
    expect(await testLedger.ledger().refund({ ...refundOf(holdId, row), log })).toEqual({
      type: 'credited',
      repeated: false,
    })
    expect(await rowOf(holdId)).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
      fail_reason: 'the sky fell',
      finish_ms: 9_000,
      detail: '{"code":1}',
      version: 2,
    })
    expect(await testLedger.logRow(`refund-${holdId}`)).toMatchObject({ quota: 80n })
    for (const account of [user, token])
      expect(await balance(account)).toMatchObject({ remaining: 1_000n, used: 0n })
  })

  it('are refunded once when two pollers see the same failure', async () => {
    const { holdId, row, user } = await submitted()
    const refund = refundOf(holdId, row)
    const both = await Promise.all([testLedger.ledger().refund(refund), testLedger.ledger().refund(refund)])
    expect(both).toContainEqual({ type: 'credited', repeated: false })
    expect(both).toContainEqual({ type: 'credited', repeated: true })
    expect(await balance(user)).toMatchObject({ remaining: 1_000n, used: 0n })
    expect(await rowOf(holdId)).toMatchObject({ version: 2 })
  })

  it('queue the notification of their owner once with the refund, and not with a refused refund', async () => {
    const { holdId, row } = await submitted()
    const notice = { cause: `task:${row.id}`, kind: 'mail', payload: 'sealed', dueMs: 9_000, nowMs: 9_000 }
    const refund = { ...refundOf(holdId, row), notice }
    const early = { ...refundOf(holdId, { ...row, version: row.version - 1 }), notice }
    const reported = async () => (await testLedger.causes()).filter((cause) => cause === notice.cause)
    expect(await testLedger.ledger().refund(early)).toEqual({ type: 'changed' })
    expect(await reported()).toEqual([])
    await Promise.all([testLedger.ledger().refund(refund), testLedger.ledger().refund(refund)])
    await testLedger.crash()
    expect(await reported()).toEqual([notice.cause])
    await testLedger.ledger().refund(refund)
    expect(await reported()).toHaveLength(1)
  })

  it('are refunded even when a notification with the same cause is already queued', async () => {
    const first = await submitted()
    const second = await submitted()
    const notice = { cause: 'task:the-same', kind: 'mail', payload: '', dueMs: 0, nowMs: 0 }
    for (const { holdId, row } of [first, second])
      expect(await testLedger.ledger().refund({ ...refundOf(holdId, row), notice })).toMatchObject({
        type: 'credited',
      })
    expect((await testLedger.causes()).filter((cause) => cause === notice.cause)).toHaveLength(1)
  })

  it('are not refunded by a poller that saw an earlier version', async () => {
    const { holdId, row, user } = await submitted()
    const refund = refundOf(holdId, { ...row, version: row.version - 1 })
    expect(await testLedger.ledger().refund(refund)).toEqual({ type: 'changed' })
    expect(await testLedger.ledger().refund({ ...refundOf(holdId, row), taskId: '0' })).toEqual({
      type: 'credited',
      repeated: false,
    })
    expect(await balance(user)).toMatchObject({ remaining: 1_000n, used: 0n })
  })

  it('are created by a late settlement, with the final charge of their call', async () => {
    const { holdId, owner, user } = await caller()
    await testLedger.crash()
    expect(await settle(holdId, owner)).toEqual({ charged: 80n, waived: 0n, late: true })
    const row = await rowOf(holdId)
    expect(row.quota).toBe(80n)
    await testLedger.ledger().refund(refundOf(holdId, row))
    expect(await balance(user)).toMatchObject({ remaining: 1_000n, used: 0n })
  })
})

function refundOf(holdId: string, row: KeptRow): RefundInput {
  return {
    taskId: String(row.id),
    requestId: holdId,
    amount: row.quota,
    end: {
      id: row.id,
      version: row.version,
      status: 'FAILURE',
      progress: '100%',
      fail_reason: 'the sky fell',
      finish_ms: 9_000,
      detail: '{"code":1}',
      updated_ms: 9_000,
    },
  }
}

function newTask(userId: number): NewTask {
  return {
    platform: 'mj',
    task_id: `there-${userId}`,
    user_id: userId,
    token_id: userId,
    channel_id: 3,
    action: 'IMAGINE',
    status: 'NOT_START',
    progress: '0%',
    fail_reason: '',
    submit_ms: 1_000,
    start_ms: 0,
    finish_ms: 0,
    deadline_ms: 3_601_000,
    secret_hash: '',
    detail: '{}',
    created_ms: 1_000,
    updated_ms: 1_000,
  }
}
