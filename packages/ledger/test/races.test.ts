import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tollgate/kit/clock'
import { openStore } from '@tollgate/store/database/open-store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ledger } from '../src/ledger.ts'
import type { TokenLimits } from '../src/inputs.ts'
import { accountId } from '../src/account.ts'
import { openLedger } from '../src/open-ledger.ts'
import { type TestLedger, testLedgers } from './support/test-ledgers.ts'

const REPEATS = 50
const AT_ONCE = 200

describe.each(Object.entries(testLedgers))('concurrent operations %s', (name, openTestLedger) => {
  let testLedger: TestLedger
  beforeAll(async () => {
    testLedger = await openTestLedger()
  })
  afterAll(async () => {
    expect((await testLedger.ledger().audit()).findings).toEqual([])
    await testLedger.close()
  })

  it(`exactly as many of ${AT_ONCE} calls are admitted as the balance covers, in ${REPEATS} races`, async () => {
    let admitted = 0
    for (let repeat = 1; repeat <= REPEATS; repeat++) {
      const isTokenTight = repeat % 2 === 0
      const places = 1 + ((repeat * 7) % AT_ONCE)
      const count = await race(testLedger.ledger(), { owner: repeat, places, isTokenTight })
      expect(count).toBe(places)
      admitted += count
    }
    console.log(`${name}: ${REPEATS} races of ${AT_ONCE} calls, ${admitted} admitted, none too many`)
  })

  it('200 concurrent calls stay within the budget and the parallel call limit of their token', async () => {
    const owner = 2_000
    const ledger = testLedger.ledger()
    const accounts = { userAccount: accountId('user', owner), tokenAccount: accountId('token', owner) }
    await ledger.credit({ key: `gift:new:${owner}`, account: accounts.userAccount, amount: 100_000n })
    await ledger.adjust({ key: 'free', account: accounts.tokenAccount, delta: 0n, unlimited: true })
    const call = { ...accounts, amount: 10n, ceiling: 10n, priceJson: '{}' }
    const admitted = async (mark: string, limits: TokenLimits) => {
      const ids = Array.from({ length: AT_ONCE }, (_, index) => `${mark}-${index}`)
      const answers = await Promise.all(ids.map((holdId) => ledger.reserve({ ...call, holdId, limits })))
      const held = ids.filter((_, index) => answers[index]?.type === 'reserved')
      await Promise.all(
        held.map((holdId) => ledger.settle({ holdId, amount: 10n, flags: [], usageJson: '' })),
      )
      return held.length
    }
    expect(await admitted('places', { parallelCalls: 17 })).toBe(17)
    expect(await admitted('budget', { budget: { units: 239n, sinceMs: 1 } })).toBe(23)
    expect(await admitted('more', { budget: { units: 249n, sinceMs: 1 } })).toBe(1)
    expect(await admitted('next', { budget: { units: 40n, sinceMs: 2 } })).toBe(4)
  })

  it('each kind of credit is applied once when repeated 100 times concurrently', async () => {
    const ledger = testLedger.ledger()
    const user = accountId('user', 1_000)
    const rewards = accountId('affiliate', 1_000)
    await ledger.credit({ key: 'invite:1001', account: rewards, amount: 30n })
    const keys = [
      'redeem:1',
      'gift:1:1000',
      'topup:1',
      'checkin:1000:2026-11-21',
      'gift:new:1000',
      'rebate:topup:1',
    ]
    for (const key of keys) {
      const answers = await hundredTimes(() => ledger.credit({ key, account: user, amount: 10n }))
      expect(firstTimes(answers)).toBe(1)
    }
    const adjust = { key: 'form-1', account: user, delta: 10n }
    expect(firstTimes(await hundredTimes(() => ledger.adjust(adjust)))).toBe(1)
    const transfer = { key: 'move-1', from: rewards, to: user, amount: 10n }
    expect(firstTimes(await hundredTimes(() => ledger.transfer(transfer)))).toBe(1)
    expect(await ledger.balance(user)).toMatchObject({ remaining: 80n })
    expect(await ledger.balance(rewards)).toMatchObject({ remaining: 20n, used: 10n })
    await refundRace(ledger, user)
  })

  it('transfers with different keys move no more than the balance', async () => {
    const ledger = testLedger.ledger()
    const from = accountId('affiliate', 1_100)
    const to = accountId('user', 1_100)
    await ledger.credit({ key: 'invite:1101', account: from, amount: 7n })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        ledger.transfer({ key: `many-${index}`, from, to, amount: 1n }),
      ),
    )
    expect(answers.filter((answer) => answer.type === 'transferred').length).toBe(7)
    expect(await ledger.balance(to)).toMatchObject({ remaining: 7n })
  })
})

interface Race {
  readonly owner: number
  readonly places: number
  readonly isTokenTight: boolean
}

async function race(ledger: Ledger, { owner, places, isTokenTight }: Race): Promise<number> {
  const userAccount = accountId('user', owner)
  const tokenAccount = accountId('token', owner)
  const tight = BigInt(places) * 100n + 99n
  await ledger.credit({
    key: `race:${owner}`,
    account: userAccount,
    amount: isTokenTight ? 1_000_000n : tight,
  })
  await ledger.adjust({
    key: `race-${owner}`,
    account: tokenAccount,
    delta: isTokenTight ? tight : 1_000_000n,
  })
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) =>
      ledger.reserve({
        holdId: `race-${owner}-${index}`,
        userAccount,
        tokenAccount,
        amount: 100n,
        ceiling: 100n,
        priceJson: '{}',
      }),
    ),
  )
  const refused = answers.filter((answer) => answer.type === 'refused')
  expect(refused.every((answer) => answer.by === (isTokenTight ? 'token' : 'user'))).toBe(true)
  return answers.filter((answer) => answer.type === 'reserved').length
}

async function refundRace(ledger: Ledger, userAccount: number): Promise<void> {
  const call = { holdId: 'task-call', userAccount, amount: 50n, ceiling: 50n, priceJson: '{}' }
  await ledger.reserve(call)
  await ledger.settle({ holdId: call.holdId, amount: 50n, flags: [], usageJson: '' })
  const refund = { taskId: 'task-1', requestId: call.holdId, amount: 50n }
  expect(firstTimes(await hundredTimes(() => ledger.refund(refund)))).toBe(1)
  expect(await ledger.balance(userAccount)).toMatchObject({ remaining: 80n, used: 0n })
}

function hundredTimes<T>(act: () => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: 100 }, act))
}

function firstTimes(answers: readonly object[]): number {
  expect(answers.every((answer) => 'repeated' in answer)).toBe(true)
  return answers.filter((answer) => 'repeated' in answer && answer.repeated === false).length
}

it('10,000 holds of a dead process are recovered at the next start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-recovery-'))
  const sqlitePath = join(directory, 'ledger.db')
  const HOLDS = 10_000
  const before = await openStore({ sqlitePath })
  const dead = await openLedger({ store: before, clock: systemClock })
  const userAccount = accountId('user', 1)
  await dead.credit({ key: 'gift:new:1', account: userAccount, amount: 10_000_000n })
  for (let first = 0; first < HOLDS; first += 200)
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const holdId = `call-${first + index}`
        await dead.reserve({ holdId, userAccount, amount: 100n, ceiling: 100n, priceJson: '{}' })
        await dead.checkpoint({ holdId, amount: 7n })
      }),
    )
  await before.close()
  const store = await openStore({ sqlitePath })
  const startMs = performance.now()
  const ledger = await openLedger({ store, clock: systemClock })
  console.log(`${ledger.health().recovered} holds recovered in ${Math.round(performance.now() - startMs)} ms`)
  expect(ledger.health()).toMatchObject({ recovered: HOLDS, openHolds: 0 })
  expect(await ledger.balance(userAccount)).toMatchObject({
    reserved: 0n,
    used: 70_000n,
    remaining: 9_930_000n,
  })
  expect(await ledger.audit()).toMatchObject({ findings: [], holds: 0, entries: HOLDS + 1 })
  await ledger.close()
  await store.close()
  rmSync(directory, { recursive: true })
})
