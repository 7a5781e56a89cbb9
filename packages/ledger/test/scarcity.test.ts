import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import { LedgerProcess, NOW_MS, callOf, reportOf } from './support/ledger-process.ts'
import { type TestLedger, testLedgers } from './support/test-ledgers.ts'

const recall = (process: LedgerProcess, account: number) =>
  process.run({ type: 'recall', input: { accounts: [account] } })

/** The commands of the storage, which a ledger with a journal uses itself. */
const { 'SQLite with a journal': _, ...storages } = testLedgers

describe.each(Object.entries(storages))('a scarce account %s', (_name, openTestLedger) => {
  let testLedger: TestLedger
  let one: LedgerProcess
  let two: LedgerProcess
  let lastOwner = 0

  beforeAll(async () => {
    testLedger = await openTestLedger()
    one = await LedgerProcess.join(testLedger, 'one')
    two = await LedgerProcess.join(testLedger, 'two')
  })
  afterAll(async () => {
    expect(await testLedger.ledger().audit()).toMatchObject({ findings: [] })
    for (const each of [one, two]) each.clear()
    await testLedger.close()
  })

  async function somebody(quota: bigint) {
    const owner = ++lastOwner
    const userAccount = accountId('user', owner)
    await testLedger.ledger().credit({ key: `scarce:${owner}`, account: userAccount, amount: quota })
    return { userAccount }
  }
  const untilMs = NOW_MS + 5_000

  it('is not made by a refusal while nobody else has quota of it', async () => {
    const accounts = await somebody(100n)
    const refusal = await one.allot(callOf(accounts, 101n))
    expect(refusal).toEqual({ type: 'refused', by: 'user', remaining: 100n })
  })

  it('is named by a refusal, until the other process has returned its free quota', async () => {
    const accounts = await somebody(100n)
    const account = accounts.userAccount
    await one.allot(callOf(accounts, 10n, { wanted: 90n }))
    const refused = { type: 'refused', by: 'user', elsewhere: { account, untilMs, mayReturn: true } }
    expect(await two.allot(callOf(accounts, 50n))).toMatchObject(refused)
    const returned = await one.run({
      type: 'giveBack',
      input: { reports: [reportOf(account, 90n, { openHolds: 1 })], instanceId: one.id },
    })
    expect(returned).toEqual({ type: 'returned', scarce: [{ account, untilMs }], taken: [] })
    expect(await two.allot(callOf(accounts, 50n, { wanted: 40n }))).toMatchObject({
      type: 'allotted',
      grants: [{ amount: 50n, scarceUntilMs: untilMs }],
    })
    const final = { type: 'refused', elsewhere: { account, untilMs, mayReturn: false } }
    expect(await one.allot(callOf(accounts, 41n, { reports: [reportOf(account, 0n)] }))).toMatchObject(final)
  })

  it('is named to a process when its journal is folded', async () => {
    const accounts = await somebody(100n)
    const account = accounts.userAccount
    await one.allot(callOf(accounts, 10n, { wanted: 90n }))
    expect(await recall(two, account)).toEqual({ type: 'recalled', waiting: [account] })
    const { result } = await one.foldLines([], [reportOf(account, 90n, { openHolds: 1 })])
    expect(result).toMatchObject({ type: 'folded', scarce: [{ account, untilMs }] })
    await one.giveBack(reportOf(account, 90n, { openHolds: 1 }))
    expect(await recall(two, account)).toEqual({ type: 'recalled', waiting: [] })
  })

  it('is named by a durable hold that is refused, too', async () => {
    const accounts = await somebody(100n)
    await one.allot(callOf(accounts, 10n, { wanted: 90n }))
    const hold = { holdId: `scarce-${lastOwner}`, ...accounts, amount: 50n, ceiling: 50n, priceJson: '{}' }
    expect(await two.run({ type: 'reserve', input: hold })).toMatchObject({
      type: 'refused',
      elsewhere: { account: accounts.userAccount, mayReturn: true },
    })
  })

  it('has no process left that admits calls of an unlimited token without asking, after a recall', async () => {
    const accounts = await somebody(100n)
    const tokenAccount = accountId('token', lastOwner)
    await testLedger
      .ledger()
      .adjust({ key: `${lastOwner}`, account: tokenAccount, delta: 0n, unlimited: true })
    await one.allot(callOf({ ...accounts, tokenAccount }, 10n))
    expect(await recall(two, tokenAccount)).toEqual({ type: 'recalled', waiting: [tokenAccount] })
    await one.allot(callOf({ ...accounts, tokenAccount }, 10n))
    expect(await recall(two, tokenAccount)).toEqual({ type: 'recalled', waiting: [tokenAccount] })
    await one.giveBack(reportOf(tokenAccount, 0n, { openHolds: 2 }))
    expect(await recall(two, tokenAccount)).toEqual({ type: 'recalled', waiting: [] })
  })
})
