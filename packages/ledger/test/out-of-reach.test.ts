import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accountId } from '../src/account.ts'
import type { ReserveInput, TokenLimits } from '../src/inputs.ts'
import type { Ledger } from '../src/ledger.ts'
import { GatedPlace, spendAll } from './support/gated-storage.ts'

/** What a process has set aside of an account can be spent, whatever came between a request and its answer. */

const USER = accountId('user', 1)
const TOKEN = accountId('token', 1)
const QUOTA = 500n
const OF_TOKEN = 400n
const accounts = { userAccount: USER, tokenAccount: TOKEN }
const settled = { flags: [], usageJson: '' }

let place: GatedPlace
let ledger: Ledger
let calls = 0
beforeEach(async () => {
  place = new GatedPlace()
  ledger = await place.open()
  await ledger.credit({ key: 'gift:new:1', account: USER, amount: QUOTA })
  await ledger.adjust({ key: 'token', account: TOKEN, delta: OF_TOKEN })
})
afterEach(async () => {
  vi.useRealTimers()
  expect((await ledger.audit()).findings).toEqual([])
  await ledger.close()
  place.remove()
})

function callOf(amount: bigint, more: Partial<ReserveInput> = {}): ReserveInput {
  return { holdId: `call-${++calls}`, ...accounts, amount, ceiling: 1_000n, priceJson: '{}', ...more }
}

async function open(amount: bigint, more: Partial<ReserveInput> = {}): Promise<string> {
  const input = callOf(amount, more)
  expect(await ledger.reserve(input)).toEqual({ type: 'reserved' })
  return input.holdId
}

const settle = (holdId: string, amount: bigint) => ledger.settle({ ...settled, holdId, amount })

/** The balances are spent to the last unit: first that of the token, then the rest of the user's. */
async function expectAllSpent({ spent, quota = QUOTA }: { spent: bigint; quota?: bigint }): Promise<void> {
  expect(await spendAll(ledger, accounts)).toBe(OF_TOKEN - spent)
  expect(await spendAll(ledger, { userAccount: USER })).toBe(quota - OF_TOKEN)
  await ledger.caughtUp()
  for (const account of [USER, TOKEN]) expect(place.allotment(account)).toMatchObject({ amount: 0n })
  expect(place.alarms).toEqual([])
}

describe('a charge above its hold that is folded before', () => {
  it('a return of free quota, as for an adjustment', async () => {
    const call = await open(2n)
    const returned = place.holdBack('giveBack', 'command')
    const adjusted = ledger.adjust({ key: 'more', account: USER, delta: 10n })
    await returned.reached
    await settle(call, 90n)
    await ledger.caughtUp()
    returned.open()
    await adjusted
    await expectAllSpent({ spent: 90n, quota: QUOTA + 10n })
  })

  it('a return of the free quota of a token', async () => {
    const call = await open(2n)
    const returned = place.holdBack('giveBack', 'command')
    const adjusted = ledger.adjust({ key: 'same', account: TOKEN, delta: 0n })
    await returned.reached
    await settle(call, 90n)
    await ledger.caughtUp()
    returned.open()
    await adjusted
    await expectAllSpent({ spent: 90n })
  })

  it('two returns, of which the first finds nothing left', async () => {
    const call = await open(2n)
    const returned = place.holdBack('giveBack', 'command')
    const adjusted = [ledger.adjust({ key: 'one', account: USER, delta: 10n })]
    await returned.reached
    const [small, large] = [await openLater(3n), await openLater(4n)]
    await settle(call, 250n)
    await ledger.caughtUp()
    returned.open()
    adjusted.push(ledger.adjust({ key: 'two', account: USER, delta: 10n }))
    await Promise.all(adjusted)
    for (const opening of [small, large]) await settle(await opening.opened, 1n)
    await expectAllSpent({ spent: 252n, quota: QUOTA + 20n })
  })

  it('a request for more that brings free quota along', async () => {
    const call = await open(2n)
    const asked = place.holdBack('allot', 'command')
    const { opened } = await openLater(200n)
    await asked.reached
    await settle(call, 90n)
    await ledger.caughtUp()
    asked.open()
    await settle(await opened, 200n)
    await expectAllSpent({ spent: 290n })
  })

  it('a request for more that is refused', async () => {
    const call = await open(2n)
    const asked = place.holdBack('allot', 'command')
    const refused = ledger.reserve(callOf(399n))
    await asked.reached
    await settle(call, 90n)
    await ledger.caughtUp()
    asked.open()
    expect(await refused).toMatchObject({ type: 'refused', by: 'token' })
    await expectAllSpent({ spent: 90n })
  })

  it('a return of the free part of a budget', async () => {
    const limits: TokenLimits = { budget: { units: 300n, sinceMs: 5 } }
    const call = await open(2n, { limits })
    const returned = place.holdBack('giveBack', 'command')
    const adjusted = ledger.adjust({ key: 'same', account: TOKEN, delta: 0n })
    await returned.reached
    await settle(call, 140n)
    await ledger.caughtUp()
    returned.open()
    await adjusted
    expect(await spendBudget(limits)).toBe(160n)
    await expectAllSpent({ spent: 300n })
  })
})

it('a charge above the allotment of a budget leaves the rest of that budget in reach', async () => {
  const limits: TokenLimits = { budget: { units: 300n, sinceMs: 5 } }
  await settle(await open(2n, { limits }), 200n)
  await ledger.caughtUp()
  expect(await spendBudget(limits)).toBe(100n)
  await expectAllSpent({ spent: 300n })
})

describe('a grant whose answer comes after its caller was refused', () => {
  beforeEach(async () => {
    await ledger.close()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    ledger = await place.open()
  })

  it('is spent by later calls, when nothing else happened', async () => {
    await grantedTooLate(async () => undefined)
    await expectAllSpent({ spent: 0n })
  })

  it('is spent by later calls, when an operator adjusted the account meanwhile', async () => {
    await grantedTooLate(() => ledger.adjust({ key: 'more', account: USER, delta: 10n }))
    await expectAllSpent({ spent: 0n, quota: QUOTA + 10n })
  })

  it('is spent by later calls, when an operator adjusted the token meanwhile', async () => {
    await grantedTooLate(() => ledger.adjust({ key: 'same', account: TOKEN, delta: 0n }))
    await expectAllSpent({ spent: 0n })
  })

  it('is spent by later calls, when idle allotments were looked for meanwhile', async () => {
    await grantedTooLate(async () => vi.advanceTimersByTime(30_000))
    await expectAllSpent({ spent: 0n })
  })
})

describe('a process that counts other quota than was set aside for it', () => {
  beforeEach(async () => {
    await ledger.close()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    ledger = await place.open()
  })

  it('finds it within a second after a call, counts it, says so, and spends it', async () => {
    await settle(await open(2n), 2n)
    place.leak(USER, 50n)
    await pass(2)
    expect(mended()).toMatchObject([{ detail: expect.stringContaining(`account ${USER} by 50 units`) }])
    expect(ledger.health().allotmentsMended).toBe(1)
    place.alarms.length = 0
    await expectAllSpent({ spent: 2n })
  })

  it('finds it within a minute when nothing happens', async () => {
    await settle(await open(2n), 2n)
    await pass(3)
    place.leak(TOKEN, 50n)
    await pass(61)
    expect(mended()).toMatchObject([{ detail: expect.stringContaining(`account ${TOKEN} by 50 units`) }])
    place.alarms.length = 0
    await expectAllSpent({ spent: 2n })
  })

  it('finds it within a minute while calls are in flight, which keep what they hold', async () => {
    const call = await open(20n)
    await settle(await open(7n), 60n)
    await pass(2)
    place.leak(USER, 50n)
    await pass(61)
    expect(mended()).toMatchObject([{ detail: expect.stringContaining(`account ${USER} by 50 units`) }])
    place.alarms.length = 0
    await settle(call, 10n)
    await expectAllSpent({ spent: 70n })
  })

  it('finds quota that it knows nothing of', async () => {
    await settle(await open(2n), 2n)
    await pass(2)
    const other = accountId('user', 9)
    await ledger.credit({ key: 'gift:new:9', account: other, amount: 90n })
    place.grantUnheard(other, 60n)
    await pass(61)
    expect(mended()).toMatchObject([{ detail: expect.stringContaining(`account ${other} by 60 units`) }])
    place.alarms.length = 0
    expect(await spendAll(ledger, { userAccount: other })).toBe(90n)
  })

  it('takes back what it counted too much, and never makes debt of it', async () => {
    await settle(await open(2n), 2n)
    place.leak(USER, -50n)
    await pass(2)
    expect(mended()).toMatchObject([{ detail: expect.stringContaining(`account ${USER} by -50 units`) }])
    place.alarms.length = 0
    await expectAllSpent({ spent: 2n })
    expect(await ledger.balance(USER)).toMatchObject({ debt: 0n, used: QUOTA })
  })

  it('mends the budget of a token by itself', async () => {
    const limits: TokenLimits = { budget: { units: 300n, sinceMs: 5 } }
    await settle(await open(2n, { limits }), 2n)
    place.leak(TOKEN, 0n, { budgetAmount: 40n })
    await pass(2)
    expect(mended()).toMatchObject([
      { detail: expect.stringContaining(`account ${TOKEN} by 0 units, 40 of its budget`) },
    ])
    place.alarms.length = 0
  })

  it('is not misled by a grant that is heard a moment before the answer of the comparison', async () => {
    for (let moments = 0; moments < 40; moments++) {
      const userAccount = accountId('user', 100 + moments)
      await ledger.credit({ key: `gift:new:${userAccount}`, account: userAccount, amount: 1_000n })
      const read = place.holdBackRead()
      const first = callOf(2n)
      await ledger.reserve({ ...first, userAccount, tokenAccount: undefined })
      await settle(first.holdId, 2n)
      await pass(2)
      await read.reached
      const answer = place.holdBack('allot', 'answer')
      const more = { ...callOf(500n), userAccount, tokenAccount: undefined }
      const opened = Promise.resolve(ledger.reserve(more))
      await answer.reached
      answer.open()
      for (let moment = 0; moment < moments; moment++) await Promise.resolve()
      read.open()
      expect(await opened).toEqual({ type: 'reserved' })
      await settle(more.holdId, 500n)
      await pass(2)
    }
    expect(mended()).toEqual([])
  })

  it('is not misled by an account that was forgotten and is used again before the comparison is answered', async () => {
    await settle(await open(2n), 2n)
    const read = place.holdBackRead()
    await pass(2)
    await read.reached
    await ledger.adjust({ key: 'more', account: USER, delta: 10n })
    const call = await open(200n)
    read.open()
    await pass(62)
    expect(mended()).toEqual([])
    await settle(call, 200n)
    await expectAllSpent({ spent: 202n, quota: QUOTA + 10n })
  })

  it('is not misled by an account without quota that was forgotten and is used again', async () => {
    await settle(await open(2n), 2n)
    await ledger.adjust({ key: 'more', account: USER, delta: 10n })
    await ledger.adjust({ key: 'more for the token', account: TOKEN, delta: 10n })
    const read = place.holdBackRead()
    await pass(2)
    await read.reached
    await ledger.adjust({ key: 'less', account: USER, delta: -10n })
    await ledger.adjust({ key: 'less for the token', account: TOKEN, delta: -10n })
    const call = await open(200n)
    read.open()
    await pass(62)
    expect(mended()).toEqual([])
    await settle(call, 200n)
    await expectAllSpent({ spent: 202n })
  })

  it('leaves an account alone while a request about it is under way, and one that changed meanwhile', async () => {
    await settle(await open(2n), 2n)
    const returned = place.holdBack('giveBack', 'answer')
    const adjusted = ledger.adjust({ key: 'more', account: USER, delta: 10n })
    await returned.reached
    await pass(62)
    returned.open()
    await adjusted
    const asked = place.holdBack('allot', 'answer')
    const { opened } = await openLater(200n)
    await asked.reached
    await pass(3)
    asked.open()
    await settle(await opened, 200n)
    await pass(62)
    expect(mended()).toEqual([])
    await expectAllSpent({ spent: 202n, quota: QUOTA + 10n })
  })
})

const mended = () => place.alarms.filter(({ type }) => type === 'allotment_mended')

/** Lets the timers of this many seconds fire, and what they began end. */
async function pass(seconds: number): Promise<void> {
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    vi.advanceTimersByTime(100)
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  }
}

/** The caller of a call has been refused when its grant arrives. */
async function grantedTooLate(meanwhile: () => Promise<unknown>): Promise<void> {
  const answer = place.holdBack('allot', 'answer')
  const { opened, result } = await openLater(2n)
  void opened.catch(() => undefined)
  await answer.reached
  vi.advanceTimersByTime(5_000)
  expect(await result).toEqual({ type: 'unavailable' })
  const done = meanwhile()
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  answer.open()
  await done
  vi.useRealTimers()
}

/** Asks for a call whose answer is held back. */
async function openLater(amount: bigint) {
  const input = callOf(amount)
  const result = Promise.resolve(ledger.reserve(input))
  const opened = result.then(({ type }) => {
    expect(type).toBe('reserved')
    return input.holdId
  })
  return { opened, result }
}

async function spendBudget(limits: TokenLimits): Promise<bigint> {
  for (let served = 0n; ; served++) {
    const input = callOf(1n, { limits, ceiling: 1n })
    if ((await ledger.reserve(input)).type !== 'reserved') return served
    await settle(input.holdId, 1n)
  }
}
