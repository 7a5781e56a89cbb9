import { setTimeout as sleep } from 'node:timers/promises'
import { type TcpProxy, openTcpProxy } from '@tollgate/testkit/tcp-proxy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReserveResult } from '../src/results.ts'
import { accountId } from '../src/account.ts'
import { ADMISSION_MS } from '../src/server/storage.ts'
import { Dice, isLong, seedOfRun, shortOrLong } from './support/faults.ts'
import { type Node, type Town, openTown, servers } from './support/nodes.ts'

const CUTS = shortOrLong(25, 500)
const CALLS = 12
const UNHEARD = shortOrLong(5, 50)
/** Several times longer than all attempts of one batch together. */
const LOCKED_MS = 100_000
const settled = { flags: [], usageJson: '' }

/**
 * Tests a node whose network connection to the database fails, and checks the result with a second node that
 * has a working one.
 */
describe.each(servers)('a node cut off from $label', (server) => {
  let town: Town
  let proxy: TcpProxy
  let node: Node
  let judge: Node

  beforeAll(async () => {
    town = await openTown(server)
    const url = new URL(town.database.dsn)
    proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) })
    url.hostname = proxy.host
    url.port = String(proxy.port)
    node = await town.enter('cut off', url.href)
    judge = await town.enter('judge')
  })
  afterAll(async () => {
    expect((await judge.ledger.audit()).findings).toEqual([])
    await town.leave()
    await proxy.close()
  })

  const holdsOf = (owner: number) =>
    judge.store.db
      .selectFrom('hold')
      .select(['id', 'amount'])
      .where('user_acct', '=', accountId('user', owner))
      .execute()

  /** Calls in flight on the user's allotments, as of the last reports of their nodes. */
  async function callsReportedOf(owner: number): Promise<number> {
    const rows = await judge.store.db
      .selectFrom('allotment')
      .select('open_holds')
      .where('account_id', '=', accountId('user', owner))
      .execute()
    return rows.reduce((sum, row) => sum + row.open_holds, 0)
  }

  /** Waits until a hold of the user is committed, but at most a few seconds. */
  async function isSeen(owner: number): Promise<void> {
    for (let look = 0; look < 300 && (await holdsOf(owner)).length === 0; look++) await sleep(10)
  }

  const cutShort = (): number => node.ledger.health().retried ?? 0

  /** Creates a user with enough quota, and the calls that the user makes concurrently. */
  async function crowd(owner: number) {
    const userAccount = accountId('user', owner)
    await judge.ledger.credit({ key: `gift:new:${owner}`, account: userAccount, amount: 1_000_000n })
    return Array.from({ length: CALLS }, (_, index) => {
      return { holdId: `call-${owner}-${index}`, userAccount, amount: 100n, ceiling: 900n, priceJson: '{}' }
    })
  }

  /** Reserves, enlarges and settles every call; returns the result of each admission. */
  async function makeCalls(owner: number): Promise<readonly ReserveResult['type'][]> {
    const calls = await crowd(owner)
    return Promise.all(
      calls.map(async (call) => {
        const { type } = await node.ledger.reserve(call)
        if (type !== 'reserved') return type
        const extended = await node.ledger.extend({ holdId: call.holdId, amount: 50n })
        if (extended.type === 'extended') expect(extended.held).toBe(150n)
        await node.ledger.checkpoint({ holdId: call.holdId, amount: 20n })
        const charged = await node.ledger.settle({ ...settled, holdId: call.holdId, amount: 30n })
        expect(charged).toEqual({ charged: 30n, waived: 0n, late: false })
        return type
      }),
    )
  }

  /** Expects every acknowledged operation in the ledger once, and no open holds. */
  async function expectExactly(owner: number, outcomes: readonly string[]): Promise<void> {
    const made = outcomes.filter((type) => type === 'reserved').length
    await expect.poll(() => holdsOf(owner), { timeout: 60_000 }).toEqual([])
    const used = BigInt(made) * 30n
    expect(await judge.ledger.balance(accountId('user', owner))).toMatchObject({
      used,
      remaining: 1_000_000n - used,
      reserved: 0n,
    })
  }

  it(
    `neither loses nor repeats an operation wherever the connection is cut, at least ${CUTS} times`,
    { timeout: 900_000 },
    async () => {
      const dice = new Dice(seedOfRun())
      const counts = { made: 0, refused: 0 }
      const isEnough = (): boolean => counts.made > CUTS * 3 && cutShort() > CUTS / 4
      let cuts = 0
      while (cuts < CUTS || (!isEnough() && cuts < CUTS * 10)) {
        const cut = ++cuts
        const calls = makeCalls(cut)
        proxy.freezeAfter(1 + dice.below(20_000))
        await sleep(20 + dice.below(40))
        proxy.reset()
        proxy.thaw()
        const outcomes = await calls
        counts.made += outcomes.filter((type) => type === 'reserved').length
        counts.refused += outcomes.filter((type) => type === 'unavailable').length
        await expectExactly(cut, outcomes)
      }
      console.log(
        `${server.label}: ${cuts} cuts, ${counts.made} calls made, ${counts.refused} refused, ${cutShort()} batches begun again`,
      )
      expect(isEnough()).toBe(true)
    },
  )

  it('refuses admissions at once while the server is down, and settles open calls when it is back', async () => {
    const calls = await crowd(10_001)
    for (const call of calls) expect(await node.ledger.reserve(call)).toEqual({ type: 'reserved' })
    await proxy.goDown()
    const ends = calls.map(({ holdId }) => node.ledger.settle({ ...settled, holdId, amount: 30n }))
    await expect.poll(() => node.ledger.health().isWritable, { timeout: 60_000 }).toBe(false)
    const refused = await node.ledger.reserve({ ...another, amount: 1n, ceiling: 1n, priceJson: '{}' })
    expect(refused).toEqual({ type: 'unavailable' })
    await expect(
      node.ledger.credit({ key: 'while away', account: another.userAccount, amount: 1n }),
    ).rejects.toMatchObject({ code: 'ledger_unavailable' })
    await proxy.comeBack()
    expect(await Promise.all(ends)).toHaveLength(CALLS)
    await expectExactly(
      10_001,
      calls.map(() => 'reserved'),
    )
    await expect.poll(() => node.ledger.health()).toMatchObject({ isWritable: true, queued: 0 })
    expect(node.alarms.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['store_failed', 'store_returned']),
    )
  })

  it('refuses waiting and queued admissions in time when the server is silent, and later ones at once', async () => {
    const calls = await crowd(10_005)
    proxy.freeze()
    const startMs = performance.now()
    const sent = calls.slice(0, 4).map((call) => node.ledger.reserve(call))
    await sleep(ADMISSION_MS / 10)
    const queued = calls.slice(4, 8).map((call) => node.ledger.reserve(call))
    for (const { type } of await Promise.all([...sent, ...queued])) expect(type).toBe('unavailable')
    const refusedMs = performance.now() - startMs
    // Twice the limit leaves room for a busy machine; reconnect attempts alone take longer than that.
    expect(refusedMs).toBeLessThan(2 * ADMISSION_MS)
    expect(node.ledger.health().isWritable).toBe(false)
    const laterMs = performance.now()
    for (const call of calls.slice(8))
      expect(await node.ledger.reserve(call)).toEqual({ type: 'unavailable' })
    expect(performance.now() - laterMs).toBeLessThan(ADMISSION_MS / 10)
    proxy.reset()
    proxy.thaw()
    await expect.poll(() => node.ledger.health().isWritable, { timeout: 60_000 }).toBe(true)
    await expect.poll(() => callsReportedOf(10_005), { timeout: 60_000 }).toBe(0)
    await expectExactly(10_006, await makeCalls(10_006))
    await expect.poll(() => holdsOf(10_005)).toEqual([])
    console.log(`${server.label}: refused after ${Math.round(refusedMs)} ms of silence`)
  })

  it.each(['at once', 'after a while'])(
    'finds out whether a commit with a lost reply took effect, when the server is back %s',
    { timeout: 300_000 },
    async (when) => {
      await crowd(10_002)
      const userAccount = accountId('user', 10_002)
      const before = node.ledger.health().confirmed ?? 0
      const lookedUp = (): number => (node.ledger.health().confirmed ?? 0) - before
      let attempts = 0
      // Occasionally the commit without a reply belongs to another transaction, so try more often.
      while (lookedUp() < UNHEARD && attempts++ < UNHEARD * 10) {
        const holdId = `doubtful ${when} ${attempts}`
        proxy.deafenAt('commit')
        const asked = node.ledger.reserve({
          holdId,
          userAccount,
          amount: 100n,
          ceiling: 100n,
          priceJson: '{}',
        })
        await Promise.race([asked, isSeen(10_002)])
        if (when === 'after a while') await proxy.goDown()
        proxy.reset()
        proxy.thaw()
        const { type } = await asked
        await proxy.comeBack()
        await expect.poll(() => node.ledger.health().isWritable).toBe(true)
        if (type === 'reserved') await node.ledger.release({ holdId })
        await expect.poll(() => holdsOf(10_002)).toEqual([])
      }
      console.log(`${server.label}: ${lookedUp()} lost answers looked up in ${attempts} attempts`)
      expect(lookedUp()).toBeGreaterThanOrEqual(UNHEARD)
      expect(await judge.ledger.balance(userAccount)).toMatchObject({ reserved: 0n, used: 0n })
    },
  )

  it.skipIf(!isLong)(
    'keeps ends of calls waiting as long as another program locks their rows (skipped: long runs only)',
    { timeout: 600_000 },
    async () => {
      const calls = await crowd(10_004)
      for (const call of calls) await node.ledger.reserve(call)
      const [begun, done] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
      const locked = judge.store.db.transaction().execute(async (transaction) => {
        const rows = transaction.selectFrom('account').select('id').where('owner_id', '=', 10_004).forUpdate()
        await rows.execute()
        begun.resolve(undefined)
        // The server would end a transaction that is silent for long, so keep it active.
        while ((await Promise.race([done.promise, sleep(5_000, 'not yet')])) === 'not yet')
          await rows.execute()
      })
      await begun.promise
      const ends = calls.map(({ holdId }) => node.ledger.settle({ ...settled, holdId, amount: 30n }))
      const [first] = calls
      const refused = first && (await node.ledger.reserve({ ...first, holdId: 'locked out' }))
      expect(refused).toEqual({ type: 'unavailable' })
      await sleep(LOCKED_MS)
      done.resolve(undefined)
      await locked
      expect(await Promise.all(ends)).toHaveLength(CALLS)
      await expectExactly(
        10_004,
        calls.map(() => 'reserved'),
      )
    },
  )

  it.skipIf(!isLong)(
    'survives a network that drops everything for a while (skipped: long runs only)',
    async () => {
      const calls = makeCalls(10_003)
      proxy.freeze()
      await sleep(9_000)
      proxy.reset()
      proxy.thaw()
      await expectExactly(10_003, await calls)
    },
  )
})

const another = { holdId: 'while away', userAccount: accountId('user', 10_001) }
