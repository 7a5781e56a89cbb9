import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import type { AllotmentReport } from '../src/inputs.ts'
import {
  type Accounts,
  LedgerProcess,
  NOW_MS,
  callOf,
  openedLine,
  reportOf,
  settledLine,
} from './support/ledger-process.ts'
import { type TestLedger, testLedgers } from './support/test-ledgers.ts'

const budgetOf = (sinceMs: number) => ({ limits: { budget: { units: 100n, sinceMs } } })

/** The commands of the storage, which a ledger with a journal uses itself. */
const { 'SQLite with a journal': _, ...storages } = testLedgers

describe.each(Object.entries(storages))('allotments %s', (_name, openTestLedger) => {
  let testLedger: TestLedger
  /** Two processes beside the one of the ledger. */
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

  async function somebody(quota: bigint, tokenQuota?: bigint) {
    const owner = ++lastOwner
    const user = accountId('user', owner)
    const token = accountId('token', owner)
    await testLedger.ledger().credit({ key: `gift:new:${owner}`, account: user, amount: quota })
    if (tokenQuota !== undefined)
      await testLedger.ledger().adjust({ key: `token-${owner}`, account: token, delta: tokenQuota })
    const accounts: Accounts = {
      userAccount: user,
      tokenAccount: tokenQuota === undefined ? undefined : token,
    }
    return { owner, user, token, accounts, call: `call-${owner}` }
  }

  const returned = (...reports: readonly AllotmentReport[]): Promise<unknown> =>
    one.run({ type: 'giveBack', input: { reports, instanceId: one.id } })
  const balance = (account: number) => testLedger.ledger().balance(account)

  describe('granting', () => {
    it('sets the amount of the call and what was wanted aside, and shows the free part as balance', async () => {
      const { user, accounts } = await somebody(1_000n)
      expect(await one.allot(callOf(accounts, 100n, { wanted: 300n }))).toMatchObject({
        type: 'allotted',
        instanceId: 'one',
        grants: [
          { account: user, amount: 400n, isUnlimited: false, exposedElsewhere: 0n, openHoldsElsewhere: 0 },
        ],
      })
      expect(await balance(user)).toMatchObject({
        remaining: 900n,
        reserved: 100n,
        allotted: 400n,
        free: 300n,
      })
    })

    it('grants at most its part of what remains beyond the call', async () => {
      const { accounts } = await somebody(1_000n, 500n)
      const asked = callOf(accounts, 100n, { wanted: 10_000n, parts: 4 })
      expect(await one.allot(asked)).toMatchObject({ grants: [{ amount: 325n }, { amount: 200n }] })
    })

    it('is told to the process as soon as its grant was answered, without that of others', async () => {
      const { user, token, accounts } = await somebody(1_000n, 1_000n)
      await one.allot(callOf(accounts, 100n, { ...budgetOf(5), amount: 40n, ceiling: 40n, wanted: 20n }))
      await two.allot(callOf(accounts, 7n))
      const question = { accounts: [user, token, 999_999], fileId: 'no file' }
      const answer = await one.storage.readAllotments(question, { nowMs: NOW_MS, instanceId: one.id })
      expect(answer.position).toBe(0)
      expect(answer.rows.toSorted((left, right) => left.account - right.account)).toMatchObject([
        { account: user, amount: 60n },
        { account: token, amount: 60n, budgetSinceMs: 5, budgetAmount: 60n },
      ])
      expect(await one.storage.allottedAccounts(one.id)).toEqual(expect.arrayContaining([user, token]))
    })

    it('takes the reported free quota back before it decides, and never more than the row has', async () => {
      const { user, accounts } = await somebody(1_000n)
      await one.allot(callOf(accounts, 100n, { wanted: 900n }))
      expect(await two.allot(callOf(accounts, 1n))).toMatchObject({ type: 'refused', remaining: 0n })
      const report = reportOf(user, 5_000n, { openHolds: 1 })
      const all = callOf(accounts, 1_000n, { reports: [report] })
      expect(await one.allot(all)).toMatchObject({ grants: [{ amount: 1_000n }] })
      expect(await balance(user)).toMatchObject({ remaining: 0n, allotted: 1_000n, free: 0n })
    })

    it('leaves the returned quota with the account when the call is refused', async () => {
      const { user, accounts } = await somebody(1_000n)
      await one.allot(callOf(accounts, 100n, { wanted: 500n }))
      const reports = [reportOf(user, 500n, { openHolds: 1 })]
      expect(await one.allot(callOf(accounts, 901n, { reports }))).toMatchObject({
        type: 'refused',
        by: 'user',
        remaining: 900n,
      })
      expect(await balance(user)).toMatchObject({ remaining: 900n, allotted: 100n, free: 0n })
    })

    it('admits exactly as many calls as the balance covers, whoever asks', async () => {
      const { accounts } = await somebody(1_000n)
      const asked = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? one : two))
      const results = await Promise.all(asked.map((each) => each.allot(callOf(accounts, 100n))))
      expect(results.filter(({ type }) => type === 'allotted')).toHaveLength(10)
    })

    it('grants nothing on an unlimited token and counts the call', async () => {
      const { token, accounts } = await somebody(1_000n, 0n)
      await testLedger
        .ledger()
        .adjust({ key: `unlimited-${token}`, account: token, delta: 0n, unlimited: true })
      expect(await one.allot(callOf(accounts, 100n))).toMatchObject({
        grants: [{ amount: 100n }, { account: token, amount: 0n, isUnlimited: true }],
      })
      const crowded = callOf(accounts, 1n, { limits: { parallelCalls: 1 } })
      expect(await two.allot(crowded)).toMatchObject({ type: 'crowded' })
    })

    it('pays debt with what a process returns', async () => {
      const { user, accounts } = await somebody(1_000n)
      await one.allot(callOf(accounts, 100n, { wanted: 900n }))
      await testLedger.ledger().adjust({ key: `less-${user}`, account: user, delta: -300n })
      expect(await balance(user)).toMatchObject({ debt: 300n, remaining: 900n, free: 900n })
      await one.giveBack(reportOf(user, 900n, { openHolds: 1 }))
      expect(await balance(user)).toMatchObject({ debt: 0n, remaining: 600n, allotted: 100n })
    })
  })

  describe('limits', () => {
    it('counts the parallel calls of all processes, and durable holds', async () => {
      const { accounts, call } = await somebody(1_000n, 1_000n)
      const limits = { parallelCalls: 3 }
      await testLedger
        .ledger()
        .reserve({ ...accounts, holdId: call, amount: 1n, ceiling: 1n, priceJson: '{}' })
      await one.allot(callOf(accounts, 1n, { limits }))
      expect(await two.allot(callOf(accounts, 1n, { limits }))).toMatchObject({
        grants: [{ openHoldsElsewhere: 2 }, { openHoldsElsewhere: 2 }],
      })
      expect(await two.allot(callOf(accounts, 1n, { limits }))).toMatchObject({ type: 'crowded' })
      const hold = { ...accounts, holdId: `${call}-b`, amount: 1n, ceiling: 1n, priceJson: '{}', limits }
      expect(await testLedger.ledger().reserve(hold)).toMatchObject({ type: 'crowded' })
      await testLedger.ledger().release({ holdId: call })
      expect(await one.allot(callOf(accounts, 1n, { limits }))).toMatchObject({ type: 'allotted' })
    })

    it('bounds the exposure of all processes together', async () => {
      const { accounts } = await somebody(1_000n)
      const overdraft = { factor: 2n, admitsAlone: false }
      const large = callOf(accounts, 100n, { ceiling: 900n, overdraft })
      expect(await one.allot(large)).toMatchObject({ type: 'allotted' })
      expect(await two.allot(large)).toMatchObject({ grants: [{ exposedElsewhere: 800n }] })
      expect(await two.allot(large)).toMatchObject({
        type: 'refused',
        by: 'overdraft',
        remaining: 800n,
        isAlone: false,
      })
    })

    it('shares a budget between processes and holds, in its period only', async () => {
      const { token, accounts, call } = await somebody(10_000n, 10_000n)
      expect(await one.allot(callOf(accounts, 30n, { ...budgetOf(1_000), wanted: 20n }))).toMatchObject({
        grants: [{}, { account: token, amount: 50n, budget: { sinceMs: 1_000, amount: 50n } }],
      })
      expect(await two.allot(callOf(accounts, 51n, budgetOf(1_000)))).toMatchObject({
        type: 'refused',
        by: 'budget',
        remaining: 50n,
      })
      const hold = { ...accounts, holdId: call, amount: 50n, ceiling: 50n, priceJson: '{}' }
      expect(await testLedger.ledger().reserve({ ...hold, ...budgetOf(1_000) })).toMatchObject({
        type: 'reserved',
      })
      await testLedger.ledger().release({ holdId: call })
      const charged = { charged: 30n, budgetSinceMs: 1_000 }
      await one.foldLines([settledLine(accounts, `${call}-a`, charged)])
      const returned = reportOf(token, 20n, { budget: { sinceMs: 1_000, free: 20n } })
      await one.giveBack(returned)
      expect(await two.allot(callOf(accounts, 71n, budgetOf(1_000)))).toMatchObject({ remaining: 70n })
      expect(await two.allot(callOf(accounts, 100n, budgetOf(2_000)))).toMatchObject({ type: 'allotted' })
      expect(await one.allot(callOf(accounts, 1n, budgetOf(2_000)))).toMatchObject({ by: 'budget' })
    })

    it('counts a charge in the budget period of its call, however late it is folded', async () => {
      const { accounts, call } = await somebody(10_000n, 10_000n)
      await one.allot(callOf(accounts, 80n, budgetOf(1_000)))
      await one.allot(callOf(accounts, 10n, budgetOf(2_000)))
      await one.foldLines([
        settledLine(accounts, `${call}-a`, { charged: 80n, budgetSinceMs: 1_000 }),
        settledLine(accounts, `${call}-b`, { charged: 10n, budgetSinceMs: 2_000 }),
      ])
      expect(await two.allot(callOf(accounts, 91n, budgetOf(2_000)))).toMatchObject({
        type: 'refused',
        by: 'budget',
        remaining: 90n,
      })
      expect(await two.allot(callOf(accounts, 90n, budgetOf(2_000)))).toMatchObject({ type: 'allotted' })
    })
  })

  describe('folding', () => {
    it('charges the allotment, and writes the entry and the log row of each call', async () => {
      const { user, token, accounts, call } = await somebody(1_000n, 1_000n)
      await one.allot(callOf(accounts, 100n, { wanted: 100n }))
      const reports = [reportOf(user, 160n), reportOf(token, 160n)]
      const line = settledLine(accounts, call, { charged: 40n, waived: 5n, flags: ['partial', 'waived'] })
      const released = { type: 'released', holdId: `${call}-r`, endedMs: 1, log: line.log } as const
      expect(await one.foldLines([line, released], reports)).toMatchObject({
        result: { type: 'folded', taken: [], recovered: 0 },
        alarms: [],
      })
      const after = { remaining: 960n, reserved: 0n, used: 40n, allotted: 160n, free: 160n }
      expect(await balance(user)).toMatchObject(after)
      expect(await balance(token)).toMatchObject(after)
      expect(await testLedger.logRow(call)).toMatchObject({ quota: 40n, request_id: call })
      expect((await testLedger.logRow(call))?.other).toContain('"waived":5')
      expect(await testLedger.logRow(`${call}-r`)).toMatchObject({ quota: 0n })
    })

    it('takes what the allotment does not cover from the account, then from debt, and says so', async () => {
      const { user, accounts, call } = await somebody(150n)
      await one.allot(callOf(accounts, 100n))
      expect(await one.foldLines([settledLine(accounts, call, { charged: 180n })])).toMatchObject({
        result: { type: 'folded', taken: [{ account: user, amount: 80n }], recovered: 0 },
      })
      expect(await balance(user)).toMatchObject({ remaining: 0n, debt: 30n, used: 180n, allotted: 0n })
    })

    it('tells what it took beyond the allotment of a budget', async () => {
      const { token, accounts, call } = await somebody(1_000n, 1_000n)
      await one.allot(callOf(accounts, 40n, { ...budgetOf(5), wanted: 20n }))
      const charged = { budgetSinceMs: 5, charged: 75n }
      expect(await one.foldLines([settledLine(accounts, call, charged)])).toMatchObject({
        result: {
          taken: [{ amount: 15n }, { account: token, amount: 15n, budget: { sinceMs: 5, amount: 15n } }],
        },
      })
    })

    describe('before quota that was on its way back', () => {
      it('leaves a return only the rest, which says what is missing', async () => {
        const { user, accounts, call } = await somebody(1_000n)
        await one.allot(callOf(accounts, 100n, { wanted: 300n }))
        await one.foldLines([settledLine(accounts, call, { charged: 350n })])
        expect(await returned(reportOf(user, 300n))).toEqual({
          type: 'returned',
          scarce: [],
          taken: [{ account: user, amount: 250n }],
        })
        expect(await balance(user)).toMatchObject({ remaining: 650n, used: 350n, reserved: 0n, debt: 0n })
      })

      it('leaves a second return nothing, although the row is gone', async () => {
        const { user, accounts, call } = await somebody(1_000n)
        await one.allot(callOf(accounts, 100n, { wanted: 300n }))
        await one.foldLines([settledLine(accounts, call, { charged: 350n })])
        await one.giveBack(reportOf(user, 200n))
        expect(await returned(reportOf(user, 100n))).toMatchObject({
          taken: [{ account: user, amount: 100n }],
        })
        expect(await balance(user)).toMatchObject({ remaining: 650n, used: 350n, reserved: 0n })
      })

      it('leaves a grant and a refusal only the rest', async () => {
        const { user, token, accounts, call } = await somebody(1_000n, 1_000n)
        await one.allot(callOf(accounts, 100n, { ...budgetOf(5), amount: 30n, ceiling: 30n, wanted: 60n }))
        await one.foldLines([settledLine(accounts, call, { budgetSinceMs: 5, charged: 80n })])
        const reports = [reportOf(user, 60n), reportOf(token, 60n, { budget: { sinceMs: 5, free: 60n } })]
        const taken = [
          { account: user, amount: 50n },
          { account: token, amount: 50n, budget: { sinceMs: 5, amount: 50n } },
        ]
        expect(await one.allot(callOf(accounts, 2_000n, { reports }))).toMatchObject({
          type: 'refused',
          taken,
        })
        expect(await one.allot(callOf(accounts, 10n, { ...budgetOf(5), reports: [] }))).toMatchObject({
          type: 'allotted',
          taken: [],
        })
        expect(await balance(user)).toMatchObject({ remaining: 910n, used: 80n, allotted: 10n })
      })
    })

    it('lets the grant of an unlimited token follow the charge', async () => {
      const { token, accounts, call } = await somebody(1_000n, 0n)
      await testLedger
        .ledger()
        .adjust({ key: `unlimited-${token}`, account: token, delta: 0n, unlimited: true })
      await one.allot(callOf(accounts, 100n))
      const lines = [1, 2].map((part) =>
        settledLine(accounts, `${call}-${part}`, { charged: 25n, isTokenFollowed: true }),
      )
      await one.foldLines(lines)
      expect(await balance(token)).toMatchObject({ granted: 50n, used: 50n, reserved: 0n, remaining: 0n })
    })

    it('writes each range once', async () => {
      const { user, accounts, call } = await somebody(1_000n)
      await one.allot(callOf(accounts, 500n))
      const file = one.journal(
        ...[1, 2, 3].map((part) => settledLine(accounts, `${call}-${part}`, { charged: 100n })),
      )
      expect(await one.fold(file.range(0, 1))).toMatchObject({ result: { type: 'folded' } })
      const moved = { result: { type: 'moved', position: file.range(1).from } }
      expect(await one.fold(file.range(0, 1))).toMatchObject(moved)
      expect(await one.fold(file.range(2, 3))).toMatchObject(moved)
      expect(await balance(user)).toMatchObject({ used: 100n })
      expect(await one.fold({ ...file.range(1), openFrom: 17 })).toMatchObject({ result: { type: 'folded' } })
      expect(await balance(user)).toMatchObject({ used: 300n, allotted: 200n })
      const { fileId, to } = file.range()
      const position = { fileId, instanceId: 'one', position: to, openFrom: 17, state: 'alive' }
      expect(await one.storage.positions()).toContainEqual(position)
      await one.storage.forgetJournal(fileId)
      expect(await one.storage.positions()).not.toContainEqual(position)
    })

    it('keeps a bad line aside with an alarm and folds all others', async () => {
      const { user, accounts, call } = await somebody(1_000n)
      await one.allot(callOf(accounts, 500n))
      const good = [1, 2, 3, 4].map((part) => settledLine(accounts, `${call}-${part}`, { charged: 10n }))
      const bad = settledLine(accounts, `${call}-bad`, { charged: 7n, ceiling: 6n })
      const [first, second, ...rest] = good
      if (!first || !second) throw new Error('there are four lines')
      const reply = await one.foldLines([first, second, bad, first, ...rest], [reportOf(user, 460n)])
      expect(reply.result).toMatchObject({ type: 'folded', taken: [], recovered: 0 })
      expect(reply.alarms.map(({ type }) => type)).toEqual(['operation_failed', 'operation_failed'])
      expect(await balance(user)).toMatchObject({ used: 40n, allotted: 460n, free: 460n })
    })
  })

  describe('a dead process', () => {
    it('returns its allotments to the accounts', async () => {
      const gone = await LedgerProcess.join(testLedger, 'gone')
      const { user, token, accounts } = await somebody(1_000n, 700n)
      await gone.allot(callOf(accounts, 100n, { wanted: 1_000n }))
      await testLedger.bury('gone')
      const free = { reserved: 0n, allotted: 0n, free: 0n }
      expect(await balance(user)).toMatchObject({ remaining: 1_000n, ...free })
      expect(await balance(token)).toMatchObject({ remaining: 700n, ...free })
    })

    it('has its unended calls charged at min(checkpoint, held) once', async () => {
      const { user, accounts, call } = await somebody(1_000n)
      await one.allot(callOf(accounts, 500n))
      const ids = ['a', 'b', 'c', 'd'].map((mark) => `${call}-${mark}`)
      const [a = '', b = '', c = '', d = ''] = ids
      const checkpoint = { type: 'checkpoint', ceiling: 900n, channelId: 3 } as const
      const file = one.journal(
        openedLine(accounts, a, 100n),
        openedLine(accounts, b, 100n),
        settledLine(accounts, a, { charged: 20n }),
        openedLine(accounts, c, 100n),
        { ...checkpoint, holdId: b, amount: 30n, held: 100n },
        openedLine(accounts, d, 100n),
        { ...checkpoint, holdId: d, amount: 300n, held: 200n },
      )
      await one.fold(file.range(0, 3))
      const last = { ...file.range(3), last: { openFrom: file.range(1).from } }
      expect(await two.fold(last)).toMatchObject({ result: { type: 'folded' } })
      expect(await balance(user)).toMatchObject({ used: 250n, allotted: 250n })
      expect(await testLedger.logRow(d)).toMatchObject({ quota: 200n, channel_id: 3 })
      expect(await testLedger.logRow(c)).toMatchObject({ quota: 0n })
      const again = { ...file.range(7), last: { openFrom: file.range(1).from } }
      await two.fold(again)
      expect(await balance(user)).toMatchObject({ used: 250n })
    })

    it('has late charges taken from the account, with corrections where it was recovered', async () => {
      const { user, accounts, call } = await somebody(1_000n)
      const late = await LedgerProcess.join(testLedger, `late-${call}`)
      await late.allot(callOf(accounts, 100n))
      const file = late.journal(openedLine(accounts, `${call}-r`, 100n), {
        type: 'checkpoint',
        holdId: `${call}-r`,
        amount: 10n,
        held: 100n,
        ceiling: 200n,
        channelId: 3,
      })
      await two.fold({ ...file.range(), last: { openFrom: 0 } })
      await two.foldLines([settledLine(accounts, `${call}-known`, { charged: 1n })])
      await testLedger.bury(late.id)
      const lines = [
        settledLine(accounts, `${call}-r`, { charged: 60n }),
        settledLine(accounts, `${call}-known`, { charged: 1n }),
        settledLine(accounts, `${call}-new`, { charged: 5n }),
      ]
      const range = { ...late.journal(...lines).range(), isLate: true }
      expect(await two.fold(range)).toMatchObject({
        result: { type: 'folded', taken: [{ account: user, amount: 5n }], recovered: 0 },
        alarms: [{ type: 'late_settlement' }],
      })
      expect(await balance(user)).toMatchObject({ used: 66n, remaining: 934n, reserved: 0n })
      expect((await testLedger.logRow(`${call}-new`))?.other).toContain('late')
      late.clear()
    })
  })

  it('an adjustment compares, reports and records the shown balance', async () => {
    const { user, token, accounts } = await somebody(1_000n, 1_000n)
    await one.allot(callOf(accounts, 100n, { wanted: 200n }))
    const ledger = testLedger.ledger()
    const adjust = (account: number, delta: bigint, expected?: bigint) =>
      ledger.adjust({ key: `shown-${account}-${delta}`, account, delta, expected })
    expect(await adjust(user, 50n, 1_000n)).toEqual({ type: 'changed', actual: 900n })
    expect(await adjust(user, 50n, 900n)).toMatchObject({ before: 900n, after: 950n })
    expect(await adjust(user, 50n, 900n)).toMatchObject({ before: 900n, after: 950n, repeated: true })
    expect(await adjust(token, -901n)).toEqual({ type: 'refused', remaining: 900n })
    expect(await adjust(token, -900n)).toMatchObject({ before: 900n, after: 0n })
    expect(await balance(token)).toMatchObject({ remaining: 200n, debt: 200n, free: 200n })
  })
})
