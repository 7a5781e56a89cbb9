import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Ledger } from '../src/ledger.ts'
import { accountId } from '../src/account.ts'
import { type Node, type Town, fallSilent, openTown, servers } from './support/nodes.ts'
import { sampleLog } from '@tollgate/testkit/sample-call'

const settled = { flags: [], usageJson: '' }

const rollUp = (node: Node) => node.ledger.rollUp()

/** Tests several nodes on one database, each with its own connections. */
describe.each(servers)('nodes on $label', (server) => {
  let town: Town
  let judge: Node
  /** Each test has its own two nodes and its own user; their names end with the number of the test. */
  let a: Node
  let b: Node
  let test = 0
  let user = 0
  let call = { userAccount: user, amount: 100n, ceiling: 500n, priceJson: '{}' }
  const own = (name: string) => `${name}-${test}`

  beforeAll(async () => {
    town = await openTown(server)
    judge = await town.enter('judge')
  })
  beforeEach(async () => {
    user = accountId('user', ++test)
    call = { ...call, userAccount: user }
    a = await town.enter(own('a'))
    b = await town.enter(own('b'))
    await a.ledger.credit({ key: own('gift:new'), account: user, amount: 10_000n })
  })
  afterEach(async () => {
    await town.empty()
    await judge.store.db.updateTable('instance').set({ heartbeat_ms: 0 }).where('id', '<>', 'judge').execute()
    await judge.ledger.rollUp()
    expect((await judge.ledger.audit()).findings).toEqual([])
  })
  afterAll(() => town.leave())

  /** States of the instances created by this test. */
  const states = async () => {
    const rows = await judge.store.db.selectFrom('instance').select(['id', 'state']).orderBy('id').execute()
    const ofTest = rows.filter(({ id }) => id.endsWith(`-${test}`))
    return Object.fromEntries(ofTest.map(({ id, state }) => [id.slice(0, -`-${test}`.length), state]))
  }

  const holderOf = (holdId: string) =>
    judge.store.db
      .selectFrom('hold')
      .innerJoin('instance', 'instance.id', 'hold.instance_id')
      .select('instance.state')
      .where('hold.id', '=', holdId)
      .executeTakeFirst()

  it('see the same balance, and neither ends the calls of the other', async () => {
    await a.ledger.reserve({ ...call, holdId: own('of a') })
    await b.ledger.reserve({ ...call, holdId: own('of b') })
    await Promise.all([rollUp(a), rollUp(b)])
    expect(await b.ledger.balance(user)).toMatchObject({ remaining: 9_800n, reserved: 200n })
    await expect(b.ledger.settle({ ...settled, holdId: own('of a'), amount: 1n })).rejects.toThrow(
      'instance that holds',
    )
    await a.ledger.settle({ ...settled, holdId: own('of a'), amount: 1n })
    await b.ledger.release({ holdId: own('of b') })
    expect(await states()).toEqual({ a: 'alive', b: 'alive' })
  })

  it('recover the holds of a dead node once, however many nodes do so concurrently', async () => {
    for (let index = 0; index < 30; index++) {
      await a.ledger.reserve({ ...call, holdId: own(`call-${index}`) })
      await a.ledger.checkpoint({ holdId: own(`call-${index}`), amount: 7n, channelId: 3 })
    }
    await a.die()
    const others = [b, await town.enter(own('c')), await town.enter(own('d'))]
    await Promise.all(others.map(rollUp))
    expect(await b.ledger.gauges()).toMatchObject({ openHolds: 30 })
    await fallSilent(b.store, a.name)
    await Promise.all([...others, ...others].map(rollUp))
    const recovered = others.map(({ ledger }) => ledger.health().recovered)
    expect(recovered.reduce((sum, each) => sum + each, 0)).toBe(30)
    expect(await b.ledger.gauges()).toMatchObject({ openHolds: 0 })
    expect(await b.ledger.balance(user)).toMatchObject({ remaining: 9_790n, reserved: 0n, used: 210n })
    expect(await states()).toMatchObject({ a: 'dead', b: 'alive' })
  })

  it('register again after being declared dead, and settle earlier calls by a correction', async () => {
    await a.ledger.reserve({ ...call, holdId: own('slow') })
    await a.ledger.reserve({ ...call, holdId: own('other') })
    await a.ledger.checkpoint({ holdId: own('slow'), amount: 40n })
    await fallSilent(b.store, a.name)
    await rollUp(b)
    expect(await b.ledger.balance(user)).toMatchObject({ reserved: 0n, used: 40n })
    const late = { ...settled, holdId: own('slow'), amount: 60n, log: sampleLog(own('slow')) }
    expect(await a.ledger.settle(late)).toEqual({ charged: 60n, waived: 0n, late: true })
    expect(await a.ledger.settle(late)).toEqual({ charged: 60n, waived: 0n, late: true })
    expect(await a.ledger.extend({ holdId: own('other'), amount: 1n })).toEqual({ type: 'ended' })
    expect(await a.ledger.balance(user)).toMatchObject({ remaining: 9_940n, used: 60n })
    await a.ledger.reserve({ ...call, holdId: own('next') })
    await a.ledger.reserve({ ...call, holdId: own('held') })
    expect(await a.ledger.settle({ ...settled, holdId: own('next'), amount: 5n })).toMatchObject({
      late: false,
    })
    expect(await states()).toEqual({ a: 'dead', b: 'alive' })
    const ofNext = await holderOf(own('held'))
    expect(ofNext).toEqual({ state: 'alive' })
    await a.ledger.release({ holdId: own('held') })
  })

  it('settle late instead of normally when they wake in the middle of their recovery', async () => {
    for (let index = 0; index < 10; index++) await a.ledger.reserve({ ...call, holdId: own(`call-${index}`) })
    await fallSilent(b.store, a.name)
    await b.store.db.updateTable('instance').set({ state: 'dead' }).where('id', '=', a.name).execute()
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        a.ledger.settle({ ...settled, holdId: own(`call-${index}`), amount: 9n }),
      ),
    )
    expect(all.every(({ late, charged }) => late && charged === 9n)).toBe(true)
    expect(await b.ledger.balance(user)).toMatchObject({ reserved: 0n, used: 90n })
  })

  it('recover all holds but a corrupt one, and report that one until it is repaired', async () => {
    for (const name of ['good', 'poison']) await a.ledger.reserve({ ...call, holdId: own(name) })
    await a.die()
    const tamper = (by: bigint) =>
      b.store.db
        .updateTable('hold')
        .set((eb) => ({ amount: eb('amount', '+', by), ceiling: eb('ceiling', '+', by) }))
        .where('id', '=', own('poison'))
        .execute()
    await tamper(1n)
    await fallSilent(b.store, a.name)
    await expect(rollUp(b)).rejects.toThrow(`hold ${own('poison')} cannot be recovered`)
    expect(b.ledger.health().recovered).toBe(1)
    expect(await b.ledger.gauges()).toMatchObject({ openHolds: 1 })
    await tamper(-1n)
    await rollUp(b)
    expect(await b.ledger.balance(user)).toMatchObject({ remaining: 10_000n, reserved: 0n })
  })

  it('leave nothing to recover after a normal shutdown', async () => {
    await a.ledger.reserve({ ...call, holdId: own('done') })
    await a.ledger.settle({ ...settled, holdId: own('done'), amount: 1n })
    await a.ledger.close()
    await rollUp(b)
    expect(b.ledger.health().recovered).toBe(0)
    expect(await states()).toMatchObject({ a: 'ended' })
  })

  it('create an account once, however many of them credit it first', async () => {
    const nodes = [a, b, await town.enter(own('c'))]
    for (let owner = 100; owner < 130; owner++) {
      const account = accountId('user', owner)
      const answers = await Promise.all(
        nodes.map(({ ledger }, index) =>
          ledger.credit({ key: `gift:${index}:${owner}`, account, amount: 5n }),
        ),
      )
      expect(answers).toEqual(nodes.map(() => ({ type: 'credited', repeated: false })))
      expect(await b.ledger.balance(account)).toMatchObject({ granted: 15n, remaining: 15n })
    }
  })

  it('credit a key once, and refuse the same key with other content', async () => {
    const ledgers = [a.ledger, b.ledger, (await town.enter(own('c'))).ledger]
    const each = <T>(act: (ledger: Ledger, index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: 99 }, (_, index) => act(ledgers[index % 3] ?? a.ledger, index)))
    const same = await each((ledger) => ledger.credit({ key: 'topup:1', account: user, amount: 10n }))
    expect(same.filter((answer) => answer.type === 'credited' && !answer.repeated)).toHaveLength(1)
    expect(same.every((answer) => answer.type === 'credited')).toBe(true)
    const differing = await each((ledger, index) =>
      ledger.credit({ key: 'topup:2', account: accountId('user', 200 + (index % 2)), amount: 10n }),
    )
    expect(differing.filter((answer) => answer.type === 'credited' && !answer.repeated)).toHaveLength(1)
    expect(differing.filter((answer) => answer.type === 'conflict').length).toBeGreaterThan(30)
    expect(await a.ledger.balance(user)).toMatchObject({ granted: 10_010n })
  })

  it('add entries to the totals once, however many of them roll up', async () => {
    const nodes = [a, b, await town.enter(own('c'))]
    await Promise.all(
      nodes.map(async ({ ledger, name }) => {
        for (let index = 0; index < 20; index++) {
          const holdId = `${name}-${index}`
          await ledger.reserve({ ...call, holdId })
          await ledger.settle({ ...settled, holdId, amount: 3n, channelId: 9 })
          if (index % 5 === 0) await ledger.rollUp()
        }
      }),
    )
    await Promise.all(nodes.map(rollUp))
    const totals = await a.store.db
      .selectFrom('totals')
      .selectAll()
      .where('subject', 'in', ['channel:9', `user:${test}`])
      .orderBy('subject')
      .execute()
    expect(totals).toMatchObject([
      { subject: 'channel:9', used: 180n, calls: 60 },
      { subject: `user:${test}`, used: 180n, calls: 60 },
    ])
  })
})
