import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeringServers } from '@tollgate/testkit/databases'
import { accountId } from '../src/account.ts'
import type { ReserveInput } from '../src/inputs.ts'
import type { Ledger } from '../src/ledger.ts'
import { shortOrLong } from './support/faults.ts'
import { type SharedLedgers, type SharedNode, openSharedLedgers } from './support/shared-ledgers.ts'

const AT_ONCE = 200
const REPEATS = shortOrLong(3, 50)
const servers = await answeringServers()
const settled = { flags: [], usageJson: '' }

/** Nodes that admit calls in memory and share every account. */
describe.each(servers)('quota shared by nodes over $label', (server) => {
  let shared: SharedLedgers
  let nodes: readonly SharedNode[]
  let lastOwner = 0

  beforeAll(async () => {
    shared = await openSharedLedgers(server)
    nodes = [await shared.enter('a'), await shared.enter('b'), await shared.enter('c')]
  })
  afterAll(async () => {
    await Promise.all(nodes.map(({ ledger }) => ledger.caughtUp()))
    expect((await ledgerOf(0).audit()).findings).toEqual([])
    for (const { alarms } of nodes) expect(alarms).toEqual([])
    await shared.close()
  })

  const ledgerOf = (index: number): Ledger => {
    const node = nodes[index % nodes.length]
    if (!node) throw new Error('there are nodes')
    return node.ledger
  }

  async function somebody(quota: bigint, { tokenQuota }: { tokenQuota?: bigint } = {}) {
    const owner = ++lastOwner
    const userAccount = accountId('user', owner)
    const tokenAccount = accountId('token', owner)
    await ledgerOf(0).credit({ key: `shared:${owner}`, account: userAccount, amount: quota })
    if (tokenQuota !== undefined)
      await ledgerOf(0).adjust({ key: `t${owner}`, account: tokenAccount, delta: tokenQuota })
    const accounts = tokenQuota === undefined ? { userAccount } : { userAccount, tokenAccount }
    let last = 0
    const call = (amount: bigint, more: Partial<ReserveInput> = {}): ReserveInput => ({
      holdId: `call-${owner}-${++last}`,
      ...accounts,
      amount,
      ceiling: amount,
      priceJson: '{}',
      ...more,
    })
    return { owner, userAccount, tokenAccount, call }
  }

  /** Has every node hold free quota of the account. */
  async function spread(call: (amount: bigint) => ReserveInput, amount: bigint): Promise<void> {
    for (const { ledger } of nodes) {
      const input = call(amount)
      expect(await ledger.reserve(input)).toEqual({ type: 'reserved' })
      await ledger.release({ holdId: input.holdId })
    }
  }

  async function balanceOf(account: number) {
    await Promise.all(nodes.map(({ ledger }) => ledger.caughtUp()))
    return ledgerOf(0).balance(account)
  }

  it(
    `covers exactly as many of ${AT_ONCE} calls at once as it is for, on 1 to 3 nodes`,
    { timeout: 600_000 },
    async () => {
      for (let repeat = 0; repeat < REPEATS; repeat++)
        for (let count = 1; count <= 3; count++) {
          const places = 1 + (((repeat * 3 + count) * 37) % (AT_ONCE - 1))
          const { call, userAccount } = await somebody(BigInt(places) * 100n + 99n)
          await spread(call, 100n)
          const asked = Array.from({ length: AT_ONCE }, () => call(100n))
          const answers = await Promise.all(
            asked.map((input, index) => ledgerOf(index % count).reserve(input)),
          )
          const types = answers.map(({ type }) => type)
          expect(types.filter((type) => type === 'reserved')).toHaveLength(places)
          expect(types.filter((type) => type === 'refused')).toHaveLength(AT_ONCE - places)
          await Promise.all(
            asked.map(async ({ holdId }, index) => {
              if (answers[index]?.type !== 'reserved') return
              await ledgerOf(index % count).settle({ ...settled, holdId, amount: 100n })
            }),
          )
          expect(await balanceOf(userAccount)).toMatchObject({
            remaining: 99n,
            used: BigInt(places) * 100n,
            debt: 0n,
          })
        }
    },
  )

  it('is never refused to a client that makes one call after the other, on any node', async () => {
    const { call, userAccount } = await somebody(10_000n, { tokenQuota: 10_000n })
    let left = 10_000n
    for (let index = 0; index < 100 && left > 0n; index++) {
      // Each call holds everything that is left, and uses a fraction of it.
      const input = call(left, { limits: { parallelCalls: 1 } })
      expect(await ledgerOf(index).reserve(input)).toEqual({ type: 'reserved' })
      const amount = left / 20n + 1n
      await ledgerOf(index).settle({ ...settled, holdId: input.holdId, amount })
      left -= amount
    }
    expect(await balanceOf(userAccount)).toMatchObject({ remaining: left, debt: 0n })
  })

  it('for exactly one call is found wherever it is', async () => {
    const { call } = await somebody(100n)
    for (let index = 0; index < 6; index++) {
      const input = call(100n)
      expect(await ledgerOf(index).reserve(input)).toEqual({ type: 'reserved' })
      await ledgerOf(index).release({ holdId: input.holdId })
    }
  })

  it('is not refused while three nodes keep refilling', async () => {
    // What all calls use, and what they hold at a time.
    const { call, userAccount } = await somebody(31_200n)
    const worker = async (index: number): Promise<void> => {
      for (let done = 0; done < 50; done++) {
        const input = call(100n)
        expect(await ledgerOf(index).reserve(input)).toEqual({ type: 'reserved' })
        await ledgerOf(index).settle({ ...settled, holdId: input.holdId, amount: 50n })
      }
    }
    await Promise.all(Array.from({ length: 12 }, (_, index) => worker(index)))
    expect(await balanceOf(userAccount)).toMatchObject({ remaining: 1_200n, used: 30_000n, debt: 0n })
  })

  it('is usable at once after a top-up that follows a refusal', async () => {
    const { call, userAccount, owner } = await somebody(100n)
    await spread(call, 100n)
    expect(await ledgerOf(1).reserve(call(150n))).toMatchObject({ type: 'refused', by: 'user' })
    await ledgerOf(2).credit({ key: `topup:${owner}`, account: userAccount, amount: 50n })
    expect(await ledgerOf(1).reserve(call(150n))).toEqual({ type: 'reserved' })
  })

  it('of a token limits its calls at a time over all nodes', async () => {
    const { call } = await somebody(1_000_000n, { tokenQuota: 1_000_000n })
    const limits = { parallelCalls: 7 }
    for (let round = 0; round < 3; round++) {
      const asked = Array.from({ length: 60 }, () => call(10n, { limits }))
      const answers = await Promise.all(asked.map((input, index) => ledgerOf(index).reserve(input)))
      const admitted = asked.flatMap((input, index) =>
        answers[index]?.type === 'reserved' ? [{ input, index }] : [],
      )
      expect(admitted).toHaveLength(7)
      await Promise.all(
        admitted.map(({ input: { holdId }, index }) =>
          ledgerOf(index).settle({ ...settled, holdId, amount: 10n }),
        ),
      )
    }
  })

  it('of a budget is spent once over all nodes', async () => {
    const { call } = await somebody(1_000_000n, { tokenQuota: 1_000_000n })
    const limits = { budget: { units: 1_050n, sinceMs: 1_000 } }
    const asked = Array.from({ length: 60 }, () => call(50n, { limits }))
    const answers = await Promise.all(asked.map((input, index) => ledgerOf(index).reserve(input)))
    expect(answers.filter(({ type }) => type === 'reserved')).toHaveLength(21)
  })

  it('is returned to an operator who takes it away, while every node holds some', async () => {
    const { call, userAccount, tokenAccount, owner } = await somebody(30_000n, { tokenQuota: 30_000n })
    await spread(call, 100n)
    const ledger = ledgerOf(1)
    const taken = { key: `take-${owner}`, account: userAccount, delta: -30_000n, expected: 30_000n }
    expect(await ledger.adjust(taken)).toMatchObject({ type: 'adjusted', before: 30_000n, after: 0n })
    expect(await balanceOf(userAccount)).toMatchObject({ remaining: 0n, debt: 0n })
    for (const each of nodes)
      expect(await each.ledger.reserve(call(100n))).toMatchObject({ type: 'refused', by: 'user' })
    const limited = { key: `limit-${owner}`, account: tokenAccount, delta: -30_000n }
    expect(await ledger.adjust(limited)).toMatchObject({ type: 'adjusted', after: 0n })
  })

  it('of an unlimited token is limited on every node once it is', async () => {
    const { call, tokenAccount, owner } = await somebody(30_000n, { tokenQuota: 0n })
    const ledger = ledgerOf(1)
    await ledger.adjust({ key: `u-${owner}`, account: tokenAccount, delta: 0n, unlimited: true })
    await spread(call, 100n)
    await ledger.adjust({ key: `l-${owner}`, account: tokenAccount, delta: 0n, unlimited: false })
    for (const each of nodes)
      expect(await each.ledger.reserve(call(100n))).toMatchObject({ type: 'refused', by: 'token' })
  })

  it('is found even if the notices get lost, where its node has calls', async () => {
    const { call } = await somebody(1_000n)
    shared.loseNotices(true)
    await spread(call, 100n)
    const isOver = new AbortController()
    const others = [0, 2].map(async (index) => {
      while (!isOver.signal.aborted) {
        const input = call(10n)
        await nextTurn()
        if ((await ledgerOf(index).reserve(input)).type === 'reserved')
          await ledgerOf(index).release({ holdId: input.holdId })
      }
    })
    expect(await ledgerOf(1).reserve(call(900n))).toEqual({ type: 'reserved' })
    isOver.abort()
    await Promise.all(others)
    shared.loseNotices(false)
  })

  it('exposes a user to at most the allowed debt over all nodes', async () => {
    const { call, userAccount } = await somebody(10_000n)
    const overdraft = { factor: 2n, admitsAlone: false }
    const asked = Array.from({ length: 150 }, () => call(10n, { ceiling: 1_000n, overdraft }))
    const answers = await Promise.all(asked.map((input, index) => ledgerOf(index).reserve(input)))
    const admitted = answers.filter(({ type }) => type === 'reserved').length
    expect(admitted).toBeGreaterThan(10)
    expect(BigInt(admitted) * 990n).toBeLessThanOrEqual(2n * (10_000n - BigInt(admitted) * 10n) + 990n)
    expect(await balanceOf(userAccount)).toMatchObject({ exposed: BigInt(admitted) * 990n })
  })
})
