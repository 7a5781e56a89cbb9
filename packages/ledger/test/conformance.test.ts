import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReserveInput } from '../src/inputs.ts'
import { accountId } from '../src/account.ts'
import { readWaived } from '../src/reads.ts'
import { type TestLedger, testLedgers } from './support/test-ledgers.ts'
import { sampleCharge, sampleLog, samplePriceJson, sampleUsageJson } from '@tollgate/testkit/sample-call'

/**
 * Behaviour that every storage must share. Each test has its own users and calls, so the tests could run in
 * any order.
 */
describe.each(Object.entries(testLedgers))('the ledger %s', (_name, openTestLedger) => {
  let testLedger: TestLedger
  let lastOwner = 0

  beforeAll(async () => {
    testLedger = await openTestLedger()
  })
  afterAll(async () => {
    expect(await testLedger.ledger().audit()).toMatchObject({ findings: [] })
    await testLedger.close()
  })

  /** Creates a user and a limited token with these quotas, and an input for one of the user's calls. */
  async function somebody(quota: bigint, tokenQuota = quota) {
    const owner = ++lastOwner
    const user = accountId('user', owner)
    const token = accountId('token', owner)
    const ledger = testLedger.ledger()
    await ledger.credit({ key: `gift:new:${owner}`, account: user, amount: quota })
    await ledger.adjust({ key: `token-${owner}`, account: token, delta: tokenQuota })
    const call: ReserveInput = {
      holdId: `call-${owner}`,
      userAccount: user,
      tokenAccount: token,
      amount: 100n,
      ceiling: 500n,
      priceJson: samplePriceJson,
    }
    return { owner, user, token, call }
  }

  const balance = async (account: number) => testLedger.ledger().balance(account)
  const settle = (holdId: string, amount: bigint) =>
    testLedger.ledger().settle({ holdId, amount, flags: [], usageJson: '' })

  it('reserves quota on both accounts and gives the unused part back', async () => {
    const { user, token, call } = await somebody(1_000n)
    expect(await testLedger.ledger().reserve(call)).toEqual({ type: 'reserved' })
    expect(await balance(user)).toMatchObject({ remaining: 900n, reserved: 100n, used: 0n })
    expect(await balance(token)).toMatchObject({ remaining: 900n, reserved: 100n, used: 0n })
    expect(await settle(call.holdId, 30n)).toEqual({ charged: 30n, waived: 0n, late: false })
    const after = { granted: 1_000n, remaining: 970n, reserved: 0n, used: 30n, debt: 0n }
    expect(await balance(user)).toMatchObject(after)
    expect(await balance(token)).toMatchObject(after)
  })

  it('refuses a call that either account cannot cover, names the account, and changes neither', async () => {
    const poorUser = await somebody(99n, 1_000n)
    const poorToken = await somebody(1_000n, 99n)
    const ledger = testLedger.ledger()
    expect(await ledger.reserve(poorUser.call)).toEqual({ type: 'refused', by: 'user', remaining: 99n })
    expect(await ledger.reserve(poorToken.call)).toEqual({ type: 'refused', by: 'token', remaining: 99n })
    expect(await balance(poorUser.token)).toMatchObject({ remaining: 1_000n, reserved: 0n })
    expect(await balance(poorToken.user)).toMatchObject({ remaining: 1_000n, reserved: 0n })
  })

  it('refuses a call of an unknown account unless the call is free', async () => {
    const stranger = accountId('user', 900_000)
    const call = { holdId: 'stranger', userAccount: stranger, amount: 1n, ceiling: 1n, priceJson: '{}' }
    expect(await testLedger.ledger().reserve(call)).toMatchObject({
      type: 'refused',
      by: 'user',
      remaining: 0n,
    })
    expect(await testLedger.ledger().reserve({ ...call, amount: 0n, ceiling: 0n })).toEqual({
      type: 'reserved',
    })
    expect(await settle('stranger', 0n)).toMatchObject({ charged: 0n })
  })

  it('enforces the parallel call limit of a token and frees a slot when a call ends', async () => {
    const { call, token } = await somebody(1_000n)
    const ledger = testLedger.ledger()
    const limited = { ...call, amount: 10n, limits: { parallelCalls: 2 } }
    const [first, second, third] = ['a', 'b', 'c'].map((mark) => ({
      ...limited,
      holdId: `${call.holdId}-${mark}`,
    }))
    const answers = await Promise.all([first, second, third].map((each) => ledger.reserve(each ?? limited)))
    expect(answers.map(({ type }) => type)).toEqual(['reserved', 'reserved', 'crowded'])
    expect(await balance(token)).toMatchObject({ reserved: 20n })
    await ledger.release({ holdId: `${call.holdId}-a` })
    expect(await ledger.reserve(third ?? limited)).toEqual({ type: 'reserved' })
    for (const mark of ['b', 'c']) await settle(`${call.holdId}-${mark}`, 1n)
    expect(await ledger.reserve({ ...limited, limits: { parallelCalls: 1 } })).toEqual({ type: 'reserved' })
    await ledger.release({ holdId: call.holdId })
  })

  it('counts used and held quota in a budget, which restarts with its period and never returns to an earlier one', async () => {
    const { call } = await somebody(10_000n)
    const ledger = testLedger.ledger()
    let calls = 0
    const reserve = (amount: bigint, sinceMs: number) =>
      ledger.reserve({
        ...call,
        holdId: `${call.holdId}-${++calls}`,
        amount,
        limits: { budget: { units: 150n, sinceMs } },
      })
    await ledger.reserve({ ...call, holdId: `${call.holdId}-before` })
    await settle(`${call.holdId}-before`, 70n)
    expect(await reserve(100n, 1_000)).toEqual({ type: 'reserved' })
    expect(await reserve(60n, 1_000)).toEqual({ type: 'refused', by: 'budget', remaining: 50n })
    await settle(`${call.holdId}-1`, 40n)
    expect(await reserve(110n, 1_000)).toEqual({ type: 'reserved' })
    expect(await reserve(1n, 1_000)).toEqual({ type: 'refused', by: 'budget', remaining: 0n })
    const budget = { units: 150n, sinceMs: 1_000 }
    expect(await ledger.extend({ holdId: `${call.holdId}-3`, amount: 1n, budget })).toEqual({
      type: 'refused',
    })
    await settle(`${call.holdId}-3`, 110n)
    expect(await reserve(0n, 1_000)).toEqual({ type: 'reserved' })
    expect(await reserve(150n, 2_000)).toEqual({ type: 'reserved' })
    expect(await reserve(1n, 1_500)).toMatchObject({ type: 'refused', by: 'budget' })
    for (const number of [5, 6]) await ledger.release({ holdId: `${call.holdId}-${number}` })
  })

  it('reserves a call once, and never again after it has ended', async () => {
    const { user, call: asked } = await somebody(1_000n)
    const call = { ...asked, isShared: true }
    await testLedger.ledger().reserve(call)
    expect(await testLedger.ledger().reserve(call)).toEqual({ type: 'reserved' })
    expect(await balance(user)).toMatchObject({ reserved: 100n })
    await settle(call.holdId, 10n)
    await expect(testLedger.ledger().reserve(call)).rejects.toThrow(
      'a call that was settled is not reserved again',
    )
    expect(await balance(user)).toMatchObject({ reserved: 0n, used: 10n })
  })

  it('charges the excess over the hold to the remaining quota, then as debt, never above the ceiling', async () => {
    const { user, token, call } = await somebody(150n, 10_000n)
    await testLedger.ledger().reserve(call)
    expect(await settle(call.holdId, 800n)).toEqual({ charged: 500n, waived: 300n, late: false })
    expect(await balance(user)).toMatchObject({ remaining: 0n, reserved: 0n, used: 500n, debt: 350n })
    expect(await balance(token)).toMatchObject({ remaining: 9_500n, debt: 0n })
    expect(testLedger.alarms).toContainEqual(expect.objectContaining({ type: 'charge_waived' }))
    testLedger.alarms.length = 0
    expect(await settle(call.holdId, 800n)).toEqual({ charged: 500n, waived: 300n, late: false })
    expect(testLedger.alarms).toEqual([])
  })

  it('sums waived charges by hour, channel and model, and the alarm names model and channel', async () => {
    const store = testLedger.store()
    const waived = async () => {
      await testLedger.ledger().rollUp()
      const nowMs = testLedger.clock.nowMs()
      const sums = store && (await readWaived(store.db, { fromMs: nowMs, untilMs: nowMs }))
      return sums?.filter(({ channelId }) => channelId === 77)
    }
    const price = { ...JSON.parse(samplePriceJson), model: 'dear: "model"' }
    for (const amount of [800n, 500n, 600n]) {
      const { call } = await somebody(1_000n)
      const { holdId } = call
      await testLedger.ledger().reserve({ ...call, priceJson: JSON.stringify(price) })
      await testLedger.ledger().settle({ holdId, amount, channelId: 77, flags: [], usageJson: '' })
    }
    const sum = { channelId: 77, model: 'dear: "model"', calls: 2, units: 400n }
    expect(await waived()).toEqual(store && [sum])
    const detail = expect.stringMatching(
      /to model dear: "model" on channel 77 cost 800, above its ceiling of 500/,
    )
    expect(testLedger.alarms).toContainEqual({ type: 'charge_waived', detail })
    testLedger.clock.advance(3_600_000)
    expect(await waived()).toEqual(store && [])
  })

  it('settles once: a repetition returns the first result, and another amount raises an alarm', async () => {
    const { user, call } = await somebody(1_000n)
    await testLedger.ledger().reserve(call)
    testLedger.alarms.length = 0
    await settle(call.holdId, 40n)
    expect(await settle(call.holdId, 40n)).toEqual({ charged: 40n, waived: 0n, late: false })
    expect(testLedger.alarms).toEqual([])
    expect(await settle(call.holdId, 41n)).toEqual({ charged: 40n, waived: 0n, late: false })
    expect(testLedger.alarms).toMatchObject([{ type: 'key_conflict' }])
    expect(await balance(user)).toMatchObject({ used: 40n })
  })

  it('rejects one bad operation without failing the rest of the batch', async () => {
    const { user, call } = await somebody(1_000n)
    const [bad, good] = await Promise.allSettled([
      settle('never-reserved', 5n),
      testLedger.ledger().reserve(call),
    ])
    expect(bad.status).toBe('rejected')
    expect(good).toMatchObject({ status: 'fulfilled', value: { type: 'reserved' } })
    expect(await balance(user)).toMatchObject({ reserved: 100n })
    await testLedger.ledger().release({ holdId: call.holdId })
  })

  it('enlarges a hold up to its ceiling as long as the balance covers it', async () => {
    const { user, call } = await somebody(450n)
    const ledger = testLedger.ledger()
    await ledger.reserve(call)
    expect(await ledger.extend({ holdId: call.holdId, amount: 200n })).toEqual({
      type: 'extended',
      held: 300n,
    })
    expect(await ledger.extend({ holdId: call.holdId, amount: 200n })).toEqual({ type: 'refused' })
    expect(await balance(user)).toMatchObject({ remaining: 150n, reserved: 300n })
    await ledger.credit({ key: `more-${user}`, account: user, amount: 1_000n })
    await ledger.adjust({ key: `more-${user}`, account: user + 1, delta: 1_000n })
    expect(await ledger.extend({ holdId: call.holdId, amount: 400n })).toEqual({
      type: 'extended',
      held: 500n,
    })
    expect(await ledger.extend({ holdId: call.holdId, amount: 1n })).toEqual({ type: 'extended', held: 500n })
    await ledger.release({ holdId: call.holdId })
    expect(await ledger.extend({ holdId: call.holdId, amount: 1n })).toEqual({ type: 'ended' })
    expect(await balance(user)).toMatchObject({ remaining: 1_450n, reserved: 0n, used: 0n })
  })

  it('writes the usage log row with the entry and fills in the charge and its flags', async () => {
    const { call, owner } = await somebody(1_000n)
    await testLedger.ledger().reserve(call)
    const log = { ...sampleLog('another id'), user_id: owner }
    const flags = ['partial', 'client_gone'] as const
    await testLedger.ledger().settle({
      holdId: call.holdId,
      amount: sampleCharge,
      flags,
      usageJson: sampleUsageJson,
      log,
      channelId: 3,
    })
    const row = await testLedger.logRow(call.holdId)
    expect(row).toMatchObject({ request_id: call.holdId, quota: sampleCharge, username: 'somebody' })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ frt: 412, flags: ['partial', 'client_gone'] })
  })

  it('releases a hold without a charge and writes the log row of the error', async () => {
    const { user, call } = await somebody(1_000n)
    await testLedger.ledger().reserve(call)
    await testLedger
      .ledger()
      .release({ holdId: call.holdId, log: { ...sampleLog(call.holdId), type: 8, quota: 5n } })
    await testLedger.ledger().release({ holdId: call.holdId })
    expect(await balance(user)).toMatchObject({ remaining: 1_000n, reserved: 0n, used: 0n })
    expect(await testLedger.logRow(call.holdId)).toMatchObject({ type: 8, quota: 0n })
  })

  it('creates a hold with the id of a hold that ends in the same batch', async () => {
    const first = await somebody(1_000n)
    const second = await somebody(1_000n)
    const ledger = testLedger.ledger()
    await ledger.reserve(first.call)
    const { holdId } = first.call
    await Promise.all([
      ledger.release({ holdId }),
      ledger.reserve({ ...second.call, holdId, amount: 40n }),
      ledger.checkpoint({ holdId, amount: 7n }),
    ])
    expect(await balance(first.user)).toMatchObject({ remaining: 1_000n, reserved: 0n })
    expect(await balance(second.user)).toMatchObject({ remaining: 960n, reserved: 40n })
    expect(await balance(second.token)).toMatchObject({ remaining: 960n, reserved: 40n })
    await ledger.release({ holdId })
  })

  it('credits once per key and pays debt first', async () => {
    const { user, call, owner } = await somebody(100n, 10_000n)
    await testLedger.ledger().reserve(call)
    await settle(call.holdId, 300n)
    const topUp = { key: `topup:${owner}`, account: user, amount: 250n }
    expect(await testLedger.ledger().credit(topUp)).toEqual({ type: 'credited', repeated: false })
    expect(await testLedger.ledger().credit(topUp)).toEqual({ type: 'credited', repeated: true })
    expect(await testLedger.ledger().credit({ ...topUp, amount: 251n })).toEqual({ type: 'conflict' })
    expect(await balance(user)).toMatchObject({ granted: 350n, remaining: 50n, used: 300n, debt: 0n })
    await expect(
      testLedger.ledger().credit({ key: 'consume:x', account: user, amount: 1n }),
    ).rejects.toThrow()
    await expect(testLedger.ledger().credit({ key: 'minus', account: user, amount: -1n })).rejects.toThrow()
  })

  it('credits nothing while a credit that must lie further back is too young, in one command', async () => {
    const { user, owner } = await somebody(100n)
    const ledger = testLedger.ledger()
    const near = { keys: [`checkin:${owner}:a`, `checkin:${owner}:c`], spacingMs: 3_600_000 }
    const [first, ...others] = await Promise.all([
      ledger.credit({ key: `checkin:${owner}:b`, account: user, amount: 5n, spacing: near }),
      ledger.credit({
        key: `checkin:${owner}:c`,
        account: user,
        amount: 5n,
        spacing: { ...near, keys: [`checkin:${owner}:b`, `checkin:${owner}:d`] },
      }),
    ])
    expect(first).toEqual({ type: 'credited', repeated: false })
    expect(others).toEqual([{ type: 'conflict' }])
    const again = { key: `checkin:${owner}:b`, account: user, amount: 5n, spacing: near }
    expect(await ledger.credit(again)).toEqual({ type: 'credited', repeated: true })
    const apart = { ...again, key: `checkin:${owner}:d`, spacing: { ...near, spacingMs: 0 } }
    expect(await ledger.credit(apart)).toEqual({ type: 'credited', repeated: false })
    expect(await balance(user)).toMatchObject({ granted: 110n })
  })

  it('adjusts only the expected balance; a user may get into debt, a token may not', async () => {
    const { user, token, owner } = await somebody(100n)
    const ledger = testLedger.ledger()
    const change = { key: `down-${owner}`, account: user, delta: -160n, expected: 100n }
    expect(await ledger.adjust({ ...change, expected: 99n })).toEqual({ type: 'changed', actual: 100n })
    const done = { type: 'adjusted', before: 100n, after: -60n }
    expect(await ledger.adjust(change)).toEqual({ ...done, repeated: false })
    expect(await ledger.adjust(change)).toEqual({ ...done, repeated: true })
    expect(await ledger.adjust({ ...change, delta: -1n })).toEqual({ type: 'conflict' })
    expect(await balance(user)).toMatchObject({ granted: -60n, remaining: 0n, debt: 60n })
    const tooMuch = { key: `token-down-${owner}`, account: token, delta: -101n }
    expect(await ledger.adjust(tooMuch)).toEqual({ type: 'refused', remaining: 100n })
  })

  it('counts the usage of an unlimited token without checking its balance', async () => {
    const { token, call, owner } = await somebody(1_000n, 20n)
    const ledger = testLedger.ledger()
    expect(await ledger.reserve(call)).toMatchObject({ type: 'refused', by: 'token' })
    await ledger.adjust({ key: `free-${owner}`, account: token, delta: 0n, unlimited: true })
    expect(await ledger.reserve({ ...call, isShared: true })).toEqual({ type: 'reserved' })
    expect(await balance(token)).toMatchObject({
      granted: 120n,
      remaining: 20n,
      reserved: 100n,
      unlimited: true,
    })
    await settle(call.holdId, 40n)
    expect(await balance(token)).toMatchObject({ granted: 60n, remaining: 20n, reserved: 0n, used: 40n })
  })

  it('ends the token part of a hold the way it was reserved, when the token changes during the call', async () => {
    const { token, call, owner } = await somebody(1_000n, 200n)
    const ledger = testLedger.ledger()
    await ledger.reserve(call)
    await ledger.adjust({ key: `free-${owner}`, account: token, delta: 0n, unlimited: true })
    await ledger.reserve({ ...call, holdId: `${call.holdId}-b` })
    await ledger.adjust({ key: `bound-${owner}`, account: token, delta: 0n, unlimited: false })
    await settle(call.holdId, 30n)
    await settle(`${call.holdId}-b`, 30n)
    expect(await balance(token)).toMatchObject({ remaining: 170n, reserved: 0n, used: 60n, unlimited: false })
  })

  it('enlarges the hold of a call whose token became unlimited', async () => {
    const { token, call, owner } = await somebody(1_000n, 100n)
    const ledger = testLedger.ledger()
    await ledger.reserve(call)
    expect(await ledger.extend({ holdId: call.holdId, amount: 50n })).toEqual({ type: 'refused' })
    await ledger.adjust({ key: `free-${owner}`, account: token, delta: 0n, unlimited: true })
    expect(await ledger.extend({ holdId: call.holdId, amount: 50n })).toEqual({
      type: 'extended',
      held: 150n,
    })
    await settle(call.holdId, 120n)
    expect(await balance(token)).toMatchObject({ remaining: 100n, reserved: 0n, used: 120n })
  })

  it('keeps both accounts correct when the token is unlimited but the user cannot cover an extension', async () => {
    const { user, token, call, owner } = await somebody(100n, 100n)
    const ledger = testLedger.ledger()
    await ledger.reserve(call)
    await ledger.adjust({ key: `free-${owner}`, account: token, delta: 0n, unlimited: true })
    expect(await ledger.extend({ holdId: call.holdId, amount: 50n })).toEqual({ type: 'refused' })
    await settle(call.holdId, 70n)
    expect(await balance(user)).toMatchObject({ remaining: 30n, reserved: 0n, used: 70n })
    expect(await balance(token)).toMatchObject({ remaining: 100n, reserved: 0n, used: 70n })
  })

  it('refunds a task once, and never more than its call was charged', async () => {
    const { user, token, call, owner } = await somebody(1_000n)
    const ledger = testLedger.ledger()
    await ledger.reserve(call)
    await settle(call.holdId, 80n)
    const refund = { taskId: `task-${owner}`, requestId: call.holdId, amount: 80n }
    await expect(ledger.refund({ ...refund, amount: 81n })).rejects.toThrow()
    expect(await ledger.refund(refund)).toEqual({ type: 'credited', repeated: false })
    expect(await ledger.refund(refund)).toEqual({ type: 'credited', repeated: true })
    expect(await ledger.refund({ ...refund, amount: 79n })).toEqual({ type: 'conflict' })
    expect(await ledger.refund({ ...refund, taskId: `other-${owner}`, amount: 1n })).toEqual({
      type: 'conflict',
    })
    expect(await balance(user)).toMatchObject({ remaining: 1_000n, used: 0n })
    expect(await balance(token)).toMatchObject({ remaining: 1_000n, used: 0n })
  })

  it('transfers affiliate earnings once, and not more than the balance', async () => {
    const { user, owner } = await somebody(0n)
    const ledger = testLedger.ledger()
    const from = accountId('affiliate', owner)
    await ledger.credit({ key: `invite:${owner}`, account: from, amount: 70n })
    const transfer = { key: `t-${owner}`, from, to: user, amount: 50n }
    expect(await ledger.transfer(transfer)).toEqual({ type: 'transferred', repeated: false })
    expect(await ledger.transfer(transfer)).toEqual({ type: 'transferred', repeated: true })
    expect(await ledger.transfer({ ...transfer, amount: 20n })).toEqual({ type: 'conflict' })
    expect(await ledger.transfer({ ...transfer, key: 'again' })).toEqual({ type: 'refused', remaining: 20n })
    expect(await balance(user)).toMatchObject({ remaining: 50n })
    expect(await balance(from)).toMatchObject({ remaining: 20n, used: 50n })
  })

  it('imports an account of another system once, with its remaining quota, usage and debt', async () => {
    const ledger = testLedger.ledger()
    const open = async (remaining: bigint, used: bigint) => {
      const account = accountId('user', ++lastOwner)
      const input = { key: `import:there:user:${lastOwner}`, account, remaining, used }
      expect(await ledger.open(input)).toEqual({ type: 'opened', repeated: false })
      expect(await ledger.open(input)).toEqual({ type: 'opened', repeated: true })
      expect(await ledger.open({ ...input, used: used + 1n })).toEqual({ type: 'conflict' })
      expect(await ledger.open({ ...input, remaining: remaining + 1n, used: used + 1n })).toEqual({
        type: 'conflict',
      })
      expect(await ledger.open({ ...input, key: `import:elsewhere:user:${lastOwner}` })).toEqual({
        type: 'occupied',
      })
      return balance(account)
    }
    expect(await open(500n, 300n)).toMatchObject({ granted: 800n, remaining: 500n, used: 300n, debt: 0n })
    expect(await open(0n, 0n)).toMatchObject({ granted: 0n, remaining: 0n, used: 0n, debt: 0n })
    expect(await open(-70n, 300n)).toMatchObject({ granted: 230n, remaining: 0n, used: 300n, debt: 70n })
    expect(await open(-400n, 300n)).toMatchObject({ granted: -100n, remaining: 0n, used: 300n, debt: 400n })
  })

  it('imports an unlimited token, which continues to count usage', async () => {
    const { user, call } = await somebody(1_000n)
    const token = accountId('token', ++lastOwner)
    const input = { key: `import:there:token:${lastOwner}`, account: token, remaining: 5n, used: 60n }
    const ledger = testLedger.ledger()
    expect(await ledger.open({ ...input, unlimited: true })).toEqual({ type: 'opened', repeated: false })
    expect(await ledger.open(input)).toEqual({ type: 'conflict' })
    await ledger.reserve({ ...call, userAccount: user, tokenAccount: token })
    await settle(call.holdId, 40n)
    expect(await balance(token)).toMatchObject({ unlimited: true, remaining: 5n, reserved: 0n, used: 100n })
  })

  it('refuses to import into an account that is in use, or with the key of an existing credit', async () => {
    const { owner, user } = await somebody(0n)
    const ledger = testLedger.ledger()
    const input = { account: user, remaining: 1n, used: 0n }
    expect(await ledger.open({ ...input, key: 'import:there:late' })).toEqual({ type: 'occupied' })
    expect(await ledger.open({ ...input, remaining: 0n, key: `gift:new:${owner}` })).toEqual({
      type: 'conflict',
    })
    await expect(
      ledger.open({
        key: 'import:there:wrong',
        account: accountId('user', 910_000),
        remaining: 1n,
        used: -1n,
      }),
    ).rejects.toThrow('never negative')
  })

  it('recovers the holds of a dead process at min(checkpoint, hold), with a log row for the owner', async () => {
    const small = await somebody(1_000n)
    const large = await somebody(1_000n)
    const none = await somebody(1_000n)
    const ledger = testLedger.ledger()
    for (const { call } of [small, large, none]) await ledger.reserve(call)
    await ledger.checkpoint({ holdId: small.call.holdId, amount: 12n, channelId: 3 })
    await ledger.checkpoint({ holdId: large.call.holdId, amount: 480n })
    await testLedger.crash()
    expect(testLedger.ledger().health().recovered).toBeGreaterThanOrEqual(3)
    expect(await balance(small.user)).toMatchObject({ remaining: 988n, reserved: 0n, used: 12n })
    expect(await balance(large.user)).toMatchObject({ remaining: 900n, reserved: 0n, used: 100n })
    expect(await balance(none.user)).toMatchObject({ remaining: 1_000n, reserved: 0n, used: 0n })
    const row = {
      quota: 12n,
      user_id: small.owner,
      token_id: small.owner,
      channel_id: 3,
      model_name: 'gpt-4o-mini',
    }
    const recovered = '{"flags":["recovered"],"receipt":{"held":"100","ceiling":"500"}}'
    expect(await testLedger.logRow(small.call.holdId)).toMatchObject({ ...row, other: recovered })
    expect(await testLedger.logRow(none.call.holdId)).toMatchObject({
      ...row,
      quota: 0n,
      user_id: none.owner,
      token_id: none.owner,
      channel_id: 0,
      other: recovered,
    })
  })

  it('counts a call as interrupted by a crash until a correction brings in its cost', async () => {
    const interrupted = async () => {
      await testLedger.ledger().rollUp()
      return (await testLedger.ledger().gauges()).interrupted
    }
    const before = await interrupted()
    const [kept, corrected, settled] = [await somebody(500n), await somebody(500n), await somebody(500n)]
    for (const { call } of [kept, corrected, settled]) await testLedger.ledger().reserve(call)
    await settle(settled.call.holdId, 30n)
    expect(await interrupted()).toBe(before)
    await testLedger.crash()
    expect(await interrupted()).toBe(before + 2)
    expect(await settle(corrected.call.holdId, 30n)).toMatchObject({ late: true })
    expect(await interrupted()).toBe(before + 1)
  })

  it('writes one correction for a settlement that comes after recovery', async () => {
    const { user, call } = await somebody(1_000n)
    await testLedger.ledger().reserve(call)
    await testLedger.ledger().checkpoint({ holdId: call.holdId, amount: 90n })
    await testLedger.crash()
    const late = { holdId: call.holdId, amount: 60n, flags: [], usageJson: '', log: sampleLog(call.holdId) }
    expect(await testLedger.ledger().settle(late)).toEqual({ charged: 60n, waived: 0n, late: true })
    expect(await testLedger.ledger().settle(late)).toEqual({ charged: 60n, waived: 0n, late: true })
    expect(await balance(user)).toMatchObject({ remaining: 940n, used: 60n })
    expect(await testLedger.logRow(call.holdId)).toMatchObject({ quota: 60n, username: 'somebody' })
    expect(testLedger.ledger().health().corrections).toBeGreaterThanOrEqual(1)
  })

  it('writes no correction when a recovered call was refunded before its late settlement', async () => {
    const { user, call, owner } = await somebody(1_000n)
    await testLedger.ledger().reserve(call)
    await testLedger.ledger().checkpoint({ holdId: call.holdId, amount: 60n })
    await testLedger.crash()
    await testLedger.ledger().refund({ taskId: `task-${owner}`, requestId: call.holdId, amount: 60n })
    expect(await settle(call.holdId, 40n)).toEqual({ charged: 60n, waived: 0n, late: true })
    expect(await balance(user)).toMatchObject({ remaining: 1_000n, used: 0n })
  })

  it('limits a late settlement to the ceiling of its former hold', async () => {
    const { user, call } = await somebody(10_000n)
    await testLedger.ledger().reserve(call)
    await testLedger.crash()
    const late = { holdId: call.holdId, amount: 900n, flags: [], usageJson: '' }
    expect(await testLedger.ledger().settle(late)).toEqual({ charged: 500n, waived: 400n, late: true })
    expect(await balance(user)).toMatchObject({ remaining: 9_500n, used: 500n })
  })
})
