import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '@tollgate/kit/clock'
import { readFirstPrice } from '@tollgate/store/trade/charges'
import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import type { ReserveInput, TokenLimits } from '../src/inputs.ts'
import { readBalance } from '../src/reads.ts'
import { Dice, seedOfRun, shortOrLong } from './support/faults.ts'
import { type Gateway, JournalPlace } from './support/journal-place.ts'

/** Changes of accounts while the process has quota of them set aside, and ends of calls are not folded. */

const USER = accountId('user', 1)
const TOKEN = accountId('token', 1)
const DAY_MS = 86_400_000
const DAY_ONE = 20_000 * DAY_MS
const DAY_TWO = DAY_ONE + DAY_MS

let place: JournalPlace
let clock: ManualClock
let gateway: Gateway
let calls = 0
beforeEach(async () => {
  place = new JournalPlace()
  clock = new ManualClock(DAY_TWO - 2_000)
  gateway = await place.open({ clock })
  await gateway.ledger.credit({ key: 'gift:new:1', account: USER, amount: 1_000_000n })
  await gateway.ledger.adjust({ key: 'token', account: TOKEN, delta: 1_000_000n })
})
afterEach(async () => {
  expect(await gateway.ledger.audit()).toMatchObject({ findings: [] })
  await gateway.stop()
  await place.remove()
})

function inputOf(limits?: TokenLimits, amount = 100n): ReserveInput {
  const accounts = { userAccount: USER, tokenAccount: TOKEN }
  return {
    ...accounts,
    holdId: `call-${++calls}`,
    amount,
    ceiling: amount * 2n,
    priceJson: samplePriceJson,
    limits,
  }
}

async function open(limits?: TokenLimits): Promise<{ type: string; holdId: string }> {
  const input = inputOf(limits)
  const { type } = await gateway.ledger.reserve(input)
  return { type, holdId: input.holdId }
}

async function settle(holdId: string, amount = 100n): Promise<void> {
  await gateway.ledger.settle({ holdId, amount, flags: [], usageJson: '', log: sampleLog(holdId) })
}

/** Makes calls one after the other until one is refused; returns how many were admitted. */
async function admitted(limits: TokenLimits, charge = 100n): Promise<number> {
  for (let count = 0; ; count++) {
    const { type, holdId } = await open(limits)
    if (type !== 'reserved') return count
    await settle(holdId, charge)
  }
}

async function restart(): Promise<void> {
  await gateway.die()
  gateway = await place.open({ clock })
}

function ofDay(sinceMs: number, units = 1_000n): TokenLimits {
  return { budget: { units, sinceMs } }
}

describe('budgets', () => {
  it('charges that are folded after midnight count in the day of their call', async () => {
    const before = await open(ofDay(DAY_ONE))
    for (let count = 0; count < 8; count++) await settle((await open(ofDay(DAY_ONE))).holdId)
    clock.advance(4_000)
    const first = await open(ofDay(DAY_TWO))
    await settle(before.holdId, 100n)
    await gateway.ledger.caughtUp?.()
    await settle(first.holdId, 100n)
    expect(await admitted(ofDay(DAY_TWO))).toBe(9)
    await restart()
    expect((await open(ofDay(DAY_TWO))).type).toBe('refused')
  })

  it('a call whose clock is 2 seconds behind counts in the new day', async () => {
    clock.advance(4_000)
    for (const since of [DAY_TWO, DAY_ONE, DAY_TWO, DAY_ONE]) await settle((await open(ofDay(since))).holdId)
    expect(await admitted(ofDay(DAY_TWO))).toBe(6)
    await restart()
    expect((await open(ofDay(DAY_TWO))).type).toBe('refused')
  })

  it('a budget smaller than an allotment admits exactly the calls that it covers', async () => {
    expect(await admitted(ofDay(DAY_ONE, 150n), 40n)).toBe(2)
    const parallel = await Promise.all(Array.from({ length: 50 }, () => open(ofDay(DAY_ONE, 580n))))
    const placed = parallel.filter(({ type }) => type === 'reserved')
    expect(placed).toHaveLength(5)
    for (const { holdId } of placed) await settle(holdId)
    expect(await admitted(ofDay(DAY_ONE, 580n))).toBe(0)
  })
})

describe('changes by the operator', () => {
  it('a token is made unlimited and limited again, with a call in flight each time', async () => {
    const limited = await open()
    await gateway.ledger.adjust({ key: 'u', account: TOKEN, delta: 0n, unlimited: true })
    const unlimited = await open()
    await gateway.ledger.adjust({ key: 'l', account: TOKEN, delta: 0n, unlimited: false })
    const again = await open()
    for (const { holdId } of [limited, unlimited, again]) await settle(holdId, 40n)
    expect(await gateway.ledger.balance(TOKEN)).toMatchObject({ used: 120n, unlimited: false })
    const { remaining = 0n, free = 0n, allotted = 0n } = (await gateway.ledger.balance(TOKEN)) ?? {}
    expect({ remaining, allotted }).toEqual({ remaining: 999_920n, allotted: free })
  })

  it('a balance set to zero admits nothing more, the call in flight is charged, and a top-up works at once', async () => {
    const inFlight = await open()
    for (let count = 0; count < 20; count++) await settle((await open()).holdId)
    const { remaining = 0n } = (await gateway.ledger.balance(USER)) ?? {}
    expect(remaining).toBe(1_000_000n - 2_000n - 100n)
    const emptied = await gateway.ledger.adjust({
      key: 'empty',
      account: USER,
      delta: -remaining,
      expected: remaining,
    })
    expect(emptied).toMatchObject({ type: 'adjusted', after: 0n })
    expect((await open()).type).toBe('refused')
    await settle(inFlight.holdId, 60n)
    expect(await gateway.ledger.balance(USER)).toMatchObject({ remaining: 40n, reserved: 0n, debt: 0n })
    expect((await open()).type).toBe('refused')
    await gateway.ledger.credit({ key: 'topup:1', account: USER, amount: 60n })
    expect((await open()).type).toBe('reserved')
  })

  it('a token that is emptied because it was deleted admits nothing, and its call in flight ends', async () => {
    const inFlight = await open()
    await settle((await open()).holdId)
    const { remaining = 0n } = (await gateway.ledger.balance(TOKEN)) ?? {}
    await gateway.ledger.adjust({ key: 'delete', account: TOKEN, delta: -remaining })
    expect((await open()).type).toBe('refused')
    await settle(inFlight.holdId, 100n)
    expect(await gateway.ledger.balance(TOKEN)).toMatchObject({ remaining: 0n, used: 200n, reserved: 0n })
  })

  it('calls are charged at the price of their admission when prices change, also by recovery', async () => {
    const dear = samplePriceJson.replace('"version":12', '"version":13')
    const [old, moved, lost, lostDear] = [inputOf(), inputOf(), inputOf(), { ...inputOf(), priceJson: dear }]
    for (const input of [old, moved, lost, lostDear]) await gateway.ledger.reserve(input)
    await gateway.ledger.checkpoint({ holdId: lost.holdId, amount: 30n })
    await settle(old.holdId)
    await gateway.ledger.settle({
      holdId: moved.holdId,
      amount: 9n,
      flags: [],
      usageJson: '',
      priceJson: dear,
    })
    await restart()
    const prices = [old, moved, lost, lostDear].map(({ holdId }) => readFirstPrice(gateway.store.db, holdId))
    expect(await Promise.all(prices)).toEqual([samplePriceJson, dear, samplePriceJson, dear])
    expect(await gateway.store.db.selectFrom('price').selectAll().execute()).toHaveLength(2)
  })
})

it('the shown balance is never below the truth, and above it by no more than what calls hold', async () => {
  const dice = new Dice(seedOfRun())
  const samplesMin = shortOrLong(60, 2_000)
  /** What is left after the charges and holds of all calls, and calls whose hold may be placed or not. */
  let truth = 1_000_000n
  let unsure = 0n
  const over = new AbortController()
  const seen: { low: bigint; high: bigint }[] = []
  const note = (): void => void seen.push({ low: truth - unsure, high: truth })
  const caller = async (): Promise<void> => {
    while (!over.signal.aborted) {
      unsure += 100n
      note()
      const { type, holdId } = await open()
      unsure -= 100n
      expect(type).toBe('reserved')
      truth -= 100n
      note()
      for (let wait = dice.below(5); wait > 0; wait--) await turn()
      const charge = BigInt(dice.below(100))
      truth += 100n - charge
      note()
      await settle(holdId, charge)
      await turn()
    }
  }
  const callers = Array.from({ length: 8 }, caller)
  let samples = 0
  for (; samples < samplesMin; samples++) {
    for (let wait = dice.below(30); wait > 0; wait--) await turn()
    const from = seen.length - 1
    const { remaining = 0n, debt = 0n } = (await gateway.ledger.balance(USER)) ?? {}
    const window = seen.slice(from)
    const low = window.reduce((least, { low: each }) => (each < least ? each : least), truth)
    const high = window.reduce((most, { high: each }) => (each > most ? each : most), truth)
    const shown = remaining - debt
    expect(shown >= low && shown <= high, `${shown} is between ${low} and ${high}`).toBe(true)
  }
  over.abort()
  await Promise.all(callers)
  expect((await gateway.ledger.balance(USER))?.remaining).toBe(truth)
  await gateway.ledger.caughtUp?.()
  expect((await readBalance(gateway.store.db, USER))?.remaining).toBe(truth)
  console.log(`${samples} samples of the shown balance beside ${calls} calls, each between the bounds`)
  expect(calls).toBeGreaterThan(samplesMin)
})
