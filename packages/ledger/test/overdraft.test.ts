import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReserveInput } from '../src/inputs.ts'
import { accountId } from '../src/account.ts'
import { type TestLedger, testLedgers } from './support/test-ledgers.ts'

const AT_ONCE = 200

describe.each(Object.entries(testLedgers))('the overdraft rule %s', (_name, openTestLedger) => {
  let testLedger: TestLedger
  let lastOwner = 0

  beforeAll(async () => {
    testLedger = await openTestLedger()
  })
  afterAll(async () => {
    expect((await testLedger.ledger().audit()).findings).toEqual([])
    await testLedger.close()
  })

  /** Creates a user with this quota, and a factory for the user's calls under the rule. */
  async function somebody(quota: bigint, factor = 2n) {
    const owner = ++lastOwner
    const user = accountId('user', owner)
    await testLedger.ledger().credit({ key: `redeem:${owner}`, account: user, amount: quota })
    let calls = 0
    const call = (amount: bigint, ceiling: bigint, admitsAlone = true): ReserveInput => ({
      holdId: `call-${owner}-${++calls}`,
      userAccount: user,
      amount,
      ceiling,
      priceJson: '{}',
      overdraft: { factor, admitsAlone },
    })
    return { user, owner, call }
  }

  const balance = async (user: number) => {
    const found = await testLedger.ledger().balance(user)
    if (!found) throw new Error('the account is there')
    return found
  }
  const settle = (holdId: string, amount: bigint) =>
    testLedger.ledger().settle({ holdId, amount, flags: [], usageJson: '' })

  /** Whether an account counts as paid after being credited in this way. */
  async function paid(give: (user: number, owner: number) => Promise<unknown>): Promise<boolean> {
    const owner = ++lastOwner
    await give(accountId('user', owner), owner)
    return (await balance(accountId('user', owner))).hasPaid
  }

  it('sixty concurrent expensive calls owe no more than the rule allows', async () => {
    const quota = 100_000n
    const { user, call } = await somebody(quota)
    const calls = Array.from({ length: 60 }, () => call(2_000n, 66_000n))
    const answers = await Promise.all(calls.map((each) => testLedger.ledger().reserve(each)))
    const admitted = calls.filter((_, index) => answers[index]?.type === 'reserved')
    expect(admitted).toHaveLength(2)
    expect(answers[2]).toEqual({ type: 'refused', by: 'overdraft', remaining: 96_000n, isAlone: false })
    expect(await balance(user)).toMatchObject({ exposed: 128_000n, remaining: 96_000n })
    for (const { holdId } of admitted) await settle(holdId, 66_000n)
    const { remaining, debt, exposed } = await balance(user)
    expect({ net: remaining - debt, exposed }).toEqual({ net: -32_000n, exposed: 0n })
    expect(debt).toBeLessThanOrEqual(quota)
  })

  it(`admits exactly as many of ${AT_ONCE} concurrent calls as the rule allows`, async () => {
    for (const places of [1, 7, 61]) {
      // After n admissions the exposure is 30 n and the limit is 2 x (quota - 20 n), so n <= quota / 35.
      const { call, user } = await somebody(BigInt(places) * 35n + 34n)
      const calls = Array.from({ length: AT_ONCE }, () => call(20n, 50n))
      const answers = await Promise.all(calls.map((each) => testLedger.ledger().reserve(each)))
      const admitted = calls.filter((_, index) => answers[index]?.type === 'reserved')
      expect(admitted).toHaveLength(places)
      await Promise.all(admitted.map(({ holdId }) => settle(holdId, 50n)))
      const { remaining, debt } = await balance(user)
      expect(debt - remaining).toBeLessThanOrEqual(BigInt(places) * 35n + 34n)
    }
  })

  it('a call that is alone in flight is refused once, so that it can be made smaller, and then admitted whatever it may cost', async () => {
    const { call } = await somebody(1_000n)
    const ledger = testLedger.ledger()
    const dear = call(400n, 9_000n, false)
    const refusal = { type: 'refused', by: 'overdraft', remaining: 1_000n, isAlone: true }
    expect(await ledger.reserve(dear)).toEqual(refusal)
    expect(await ledger.reserve({ ...dear, overdraft: { factor: 2n, admitsAlone: true } })).toEqual({
      type: 'reserved',
    })
    const second = await ledger.reserve(call(1n, 2n))
    expect(second).toEqual({ type: 'refused', by: 'overdraft', remaining: 600n, isAlone: false })
    expect(await ledger.reserve(call(0n, 0n))).toEqual({ type: 'reserved' })
    expect(await ledger.reserve(call(601n, 601n))).toEqual({
      type: 'refused',
      by: 'user',
      remaining: 600n,
      isAlone: false,
    })
    await settle(dear.holdId, 1n)
    await ledger.release({ holdId: `call-${lastOwner}-3` })
    expect(await ledger.reserve(call(1n, 2n, false))).toEqual({ type: 'reserved' })
    await ledger.release({ holdId: `call-${lastOwner}-5` })
  })

  it('extending a hold lowers the exposure, and every end of a call removes its share', async () => {
    const { user, call } = await somebody(10_000n)
    const ledger = testLedger.ledger()
    const [settled, released, recovered] = [call(100n, 500n), call(100n, 500n), call(100n, 500n)]
    for (const each of [settled, released, recovered]) await ledger.reserve(each)
    expect(await balance(user)).toMatchObject({ exposed: 1_200n })
    await ledger.extend({ holdId: settled.holdId, amount: 150n })
    expect(await balance(user)).toMatchObject({ exposed: 1_050n, reserved: 450n })
    await settle(settled.holdId, 500n)
    expect(await balance(user)).toMatchObject({ exposed: 800n })
    await ledger.release({ holdId: released.holdId })
    expect(await balance(user)).toMatchObject({ exposed: 400n })
    await testLedger.crash()
    expect(await balance(user)).toMatchObject({ exposed: 0n, reserved: 0n, used: 500n })
  })

  it('the ceiling of a session moves with its hold, so its exposure never exceeds the initial one', async () => {
    const { user, call } = await somebody(10_000n)
    const session = call(100n, 500n)
    const ledger = testLedger.ledger()
    await ledger.reserve(session)
    const extended = { holdId: session.holdId, amount: 3_000n, movesCeiling: true }
    expect(await ledger.extend(extended)).toEqual({ type: 'extended', held: 3_100n })
    expect(await balance(user)).toMatchObject({ exposed: 400n, reserved: 3_100n })
    expect(await settle(session.holdId, 3_501n)).toMatchObject({ charged: 3_500n, waived: 1n })
    expect(await balance(user)).toMatchObject({ exposed: 0n, remaining: 6_500n })
  })

  it('a top-up, a one-use code, quota added by an operator and an import count as paid, gifts do not', async () => {
    const ledger = testLedger.ledger()
    const byKey = (key: string) =>
      paid((account, owner) => ledger.credit({ key: `${key}${owner}`, account, amount: 5n }))
    for (const key of ['gift:new:', 'gift:1:', 'checkin:2026:', 'invited:', 'rebate:topup:', 'task:'])
      expect({ key, hasPaid: await byKey(key) }).toEqual({ key, hasPaid: false })
    expect(await byKey('topup:9')).toBe(true)
    expect(await byKey('redeem:9')).toBe(true)
    const adjusted = (delta: bigint) =>
      paid((account, owner) => ledger.adjust({ key: `hand-${owner}`, account, delta }))
    expect(await adjusted(5n)).toBe(true)
    expect(await adjusted(-5n)).toBe(false)
    const opened = (account: number, owner: number) =>
      ledger.open({ key: `import:x:${owner}`, account, remaining: 0n, used: 0n })
    expect(await paid(opened)).toBe(true)
    const moved = await paid(async (to, owner) => {
      const from = accountId('affiliate', owner)
      await ledger.credit({ key: `invite:${owner}`, account: from, amount: 5n })
      await ledger.transfer({ key: `rewards-${owner}`, from, to, amount: 5n })
    })
    expect(moved).toBe(false)
  })
})
