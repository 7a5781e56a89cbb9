import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@tollgate/contract/routes'
import { answeringServers } from '@tollgate/testkit/databases'
import { answeringRedis } from '@tollgate/testkit/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, Visitor } from '../harness.ts'
import { guesses } from './guesses.ts'
import { type CallResult, MODEL, relayCall } from './operator.ts'
import { type Program, metric } from './program.ts'
import {
  CRITICAL_LIMIT,
  type Town,
  allotmentsInUse,
  amountHeld,
  expectBalanced,
  fallSilent,
  holderOf,
  openHolds,
  openTown,
  sumOf,
} from './town.ts'

const isLong = process.env['TOLLGATE_FAULTS'] === 'long'
const SILENCE_MS = 60_000
const AT_ONCE = 200
const RACES = isLong ? 50 : 2

const redis = await answeringRedis()
/** The short form runs on one database server only: the ledger's own tests cover every server. */
const servers = redis ? (await answeringServers()).slice(0, isLong ? undefined : 1) : []

/**
 * Three gateways over one database and one Redis, the last of them with `NODE_TYPE=slave`. The tests are
 * ordered by how much they disturb the nodes.
 */
describe.each(servers)('three gateways over $label', { timeout: 600_000 }, (server) => {
  let town: Town
  let everybody: readonly Program[]
  let root: Visitor
  let key = ''

  beforeAll(async () => {
    if (!redis) throw new Error('a table without rows has no tests')
    town = await openTown(server, redis)
    everybody = town.nodes
    root = town.operator.root
    key = await town.operator.newToken('of everybody')
  })
  afterAll(() => town.close())

  const callAt = ({ address }: Program, ownKey = key, body = {}): Promise<CallResult> =>
    relayCall({ address, key: ownKey, body })

  const status = async (node: Program, ownKey = key) => (await callAt(node, ownKey)).status

  /** Starts calls whose responses the upstream withholds, and waits until all are admitted. */
  async function callsUnderWay(node: Program, count: number) {
    // An earlier call may be settled only after the last byte of its response.
    await expect.poll(() => openHolds(town)).toBe(0)
    town.upstreamLine.freeze()
    const calls = Array.from({ length: count }, () => callAt(node))
    await expect.poll(() => openHolds(town)).toBe(count)
    return calls
  }

  const entriesOf = (requestIds: readonly string[]) =>
    town.judge.db
      .selectFrom('entry')
      .select(['request_id', 'kind', 'amount', 'flags'])
      .where('request_id', 'in', requestIds)
      .orderBy('id')
      .execute()

  const changeOption = (name: string, value: string) =>
    root.call(routes.option.update, { body: { key: name, value } })

  /** Waits until the condition is true at every node; returns the milliseconds until the last one. */
  async function everywhere(isTrue: (node: Program) => Promise<boolean>): Promise<number> {
    const startMs = performance.now()
    await Promise.all(everybody.map((node) => expect.poll(() => isTrue(node)).toBe(true)))
    return performance.now() - startMs
  }

  it('a change at one node takes effect at all nodes without a full reload', async () => {
    const took: Record<string, number> = {}
    took['new token'] = await everywhere(async (node) => (await status(node)) === 200)

    const ownKey = await town.operator.newToken('to be switched off')
    await everywhere(async (node) => (await status(node, ownKey)) === 200)
    const [token] = await root.call(routes.token.list, { query: {} })
    await root.call(routes.token.update, {
      query: { status_only: 'true' },
      body: { id: token?.id ?? 0, status: 2 },
    })
    took['token'] = await everywhere(async (node) => (await status(node, ownKey)) === 401)

    await changeOption('SystemName', 'Gate of the town')
    took['option'] = await everywhere(async (node) => {
      const { system_name: name } = await new Visitor(node.address).call(routes.status.read)
      return name === 'Gate of the town'
    })

    await changeOption('ModelRatio', JSON.stringify({ [MODEL]: 500 }))
    took['price'] = await everywhere(async (node) => {
      const { requestId } = await callAt(node)
      await expect.poll(async () => (await entriesOf([requestId])).length).toBe(1)
      const [entry] = await entriesOf([requestId])
      return (entry?.amount ?? 0n) > 1_000n
    })
    await changeOption('ModelRatio', JSON.stringify({ [MODEL]: 1 }))

    const [channel] = await root.call(routes.channel.list, { query: {} })
    const switchTo = (to: number) =>
      root.call(routes.channel.update, { body: { id: channel?.id ?? 0, status: to } })
    await switchTo(2)
    took['channel'] = await everywhere(async (node) => (await status(node)) === 503)
    await switchTo(1)
    await everywhere(async (node) => (await status(node)) === 200)

    const person = new Visitor(root.address)
    await person.call(routes.session.register, { body: { username: 'somebody', password: PASSWORD } })
    const { id } = await person.signIn({ username: 'somebody', password: PASSWORD })
    const self = (node: Program) => town.at(node, person).fetch('/api/user/self')
    await everywhere(async (node) => (await self(node)).status === 200)
    await root.call(routes.adminUser.manage, { body: { id, action: 'disable' } })
    took['user'] = await everywhere(async (node) => (await self(node)).status === 401)
    const times = Object.entries(took).map(([what, ms]) => `${what} ${Math.round(ms)} ms`)
    console.log(`${server.label}: in force at 3 nodes after ${times.join(', ')}`)
  })

  it('a session that ends at one node has ended at all nodes', async () => {
    const person = new Visitor(root.address)
    await person.signIn({ username: 'root', password: 'root-password-1' })
    const statuses = () =>
      Promise.all(everybody.map(async (node) => (await town.at(node, person).fetch('/api/user/self')).status))
    expect(await statuses()).toEqual([200, 200, 200])
    const others = everybody.map((node) => town.at(node, person))
    await others[1]?.call(routes.session.logout)
    expect(await statuses()).toEqual([401, 401, 401])
  })

  /**
   * A node that is too busy to read from Redis in time counts locally for a moment. Then the attempt is
   * repeated from another address.
   */
  async function sharedGuesses(network: string): Promise<number> {
    for (let host = 1; ; host++) {
      const before = await sumOf(everybody, 'coordination_losses')
      const looked = await guesses(`${network}.${host}`, everybody, CRITICAL_LIMIT)
      const isQuiet = (await sumOf(everybody, 'coordination_losses')) === before
      if (isQuiet || host === 20) return looked
      await expect.poll(() => sumOf(everybody, 'coordination_shared')).toBe(3)
    }
  }

  it('a rate limit is shared by all nodes', async () => {
    expect(await sharedGuesses('203.0.113')).toBe(CRITICAL_LIMIT)
  })

  it('timers run at one master node, and never at a slave node', async () => {
    const [, , slave] = town.nodes
    await expect.poll(() => sumOf(everybody, 'runs_timers')).toBe(1)
    expect(await metric(slave.address, 'runs_timers')).toBe(0)
  })

  it(`of ${AT_ONCE} concurrent calls at three nodes exactly those that the balance covers are admitted, ${RACES} times`, async () => {
    const [probe] = await callsUnderWay(town.nodes[0], 1)
    const held = await amountHeld(town)
    town.upstreamLine.thaw()
    const { requestId = '' } = (await probe) ?? {}
    await expect.poll(async () => (await entriesOf([requestId])).length).toBe(1)
    const price = (await entriesOf([requestId]))[0]?.amount ?? 0n
    let admitted = 0
    for (let race = 0; race < RACES; race++) {
      const places = 1 + ((race * 37 + 60) % (AT_ONCE - 1))
      const spent = price * BigInt(everybody.length)
      const body = { name: `race ${race}`, remain_quota: Number(held * BigInt(places) + spent) + 1 }
      const { key: ownKey } = await root.call(routes.token.create, { body })
      await everywhere(async (node) => (await callAt(node, ownKey, { model: 'unknown' })).status !== 401)
      // Every node has quota of the token set aside.
      for (const node of everybody) expect((await callAt(node, ownKey)).status).toBe(200)
      town.upstreamLine.freeze()
      await expect.poll(() => openHolds(town)).toBe(0)
      const calls = Array.from({ length: AT_ONCE }, (_, index) =>
        callAt(everybody[index % everybody.length] ?? town.nodes[0], ownKey),
      )
      let answered = 0
      for (const call of calls) void call.finally(() => answered++)
      await expect.poll(() => answered, { timeout: 120_000 }).toBe(AT_ONCE - places)
      await expect.poll(() => openHolds(town)).toBe(places)
      town.upstreamLine.thaw()
      const statuses = (await Promise.all(calls)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(places)
      admitted += places
    }
    console.log(`${server.label}: ${RACES} races of ${AT_ONCE} calls, ${admitted} admitted, none too many`)
    await expectBalanced(town)
  })

  it('a node without its database goes on within its allotments, refuses other calls at once in the caller’s dialect, and settles the running ones later', async () => {
    const [first, second] = town.nodes
    // No quota of this token is set aside at any node.
    const body = { name: 'unknown to the node', remain_quota: 10_000_000 }
    const other = (await root.call(routes.token.create, { body })).key
    await everywhere(async (node) => (await callAt(node, other, { model: 'unknown' })).status !== 401)
    const calls = await callsUnderWay(second, 5)
    await town.databaseLine.goDown()
    await expect.poll(async () => (await callAt(second, other)).status).toBe(503)
    const refusals = await Promise.all(Array.from({ length: 10 }, () => callAt(second, other)))
    for (const { status, text } of refusals) {
      expect(status).toBe(503)
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'ledger_unavailable' } })
    }
    town.upstreamLine.thaw()
    // The proxy that was cut is between the second node and the database only.
    expect((await callAt(first)).status).toBe(200)
    const answers = [...(await Promise.all(calls)), await callAt(second)]
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    // Nothing is folded yet.
    await expect.poll(() => openHolds(town)).toBe(5)
    expect(await metric(second.address, 'ledger_writable')).toBe(0)
    await town.databaseLine.comeBack()
    await expectBalanced(town)
    const entries = await entriesOf(answers.map(({ requestId }) => requestId))
    expect(entries.map(({ kind, flags }) => `${kind} ${flags}`)).toEqual(Array(6).fill('consume '))
    await expect.poll(async () => (await callAt(second, other)).status).toBe(200)
    console.log(`${server.label}: ${refusals.length} refused, 6 settled after the cut`)
  })

  it('without Redis each node limits on its own and logs it, nobody is locked out, and missed changes are caught up', async () => {
    const said = (words: string) => everybody.map((node) => node.printed().split(words).length - 1)
    await expect.poll(() => openHolds(town)).toBe(0)
    const [away, back] = [said('Redis is unreachable'), said('Redis is back')]
    const before = await town.judge.db.selectFrom('account').selectAll().orderBy('id').execute()
    await town.redisLine.goDown()
    await expect.poll(() => sumOf(everybody, 'coordination_shared')).toBe(0)
    expect(said('Redis is unreachable').every((times, node) => times > (away[node] ?? 0))).toBe(true)
    expect(await guesses('198.51.100.1', everybody, CRITICAL_LIMIT + 5)).toBe(3 * CRITICAL_LIMIT)
    const others = everybody.map(({ address }) => new Visitor(address))
    for (const visitor of others) await visitor.signIn({ username: 'root', password: 'root-password-1' })
    expect(await town.judge.db.selectFrom('account').selectAll().orderBy('id').execute()).toEqual(before)
    for (const node of everybody) expect((await callAt(node)).status).toBe(200)
    await changeOption('SystemName', 'Gate without Redis')
    await town.redisLine.comeBack()
    await expect.poll(() => sumOf(everybody, 'coordination_shared')).toBe(3)
    await everywhere(async (node) => {
      const { system_name: name } = await new Visitor(node.address).call(routes.status.read)
      return name === 'Gate without Redis'
    })
    expect(said('Redis is back').every((times, node) => times > (back[node] ?? 0))).toBe(true)
    expect(await sharedGuesses('192.0.2')).toBe(CRITICAL_LIMIT)
    await expectBalanced(town)
  })

  it('the calls of a stopped node are recovered once by another node, and corrected when it continues', async () => {
    const [first, second, slave] = town.nodes
    const calls = await callsUnderWay(second, 8)
    const instance = await holderOf(town)
    const before = await sumOf([first, slave], 'ledger_recovered')
    second.child.kill('SIGSTOP')
    if (isLong) await sleep(SILENCE_MS)
    await expect
      .poll(async () => {
        if (!isLong) await fallSilent(town, instance)
        return openHolds(town)
      })
      .toBe(0)
    // The metric is updated after the commit.
    await expect.poll(() => sumOf([first, slave], 'ledger_recovered')).toBe(before + 8)
    town.upstreamLine.thaw()
    second.child.kill('SIGCONT')
    const answers = await Promise.all(calls)
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const ids = answers.map(({ requestId }) => requestId)
    await expect.poll(async () => (await entriesOf(ids)).length).toBe(16)
    const kinds = (await entriesOf(ids)).map(({ kind, flags }) => `${kind} ${flags}`)
    expect(kinds.filter((kind) => kind.startsWith('consume recovered'))).toHaveLength(8)
    expect(kinds.filter((kind) => kind.startsWith('correction'))).toHaveLength(8)
    expect((await callAt(second)).status).toBe(200)
    await expectBalanced(town)
    console.log(`${server.label}: 8 recovered once, 8 corrected`)
  })

  it('after kill -9 of one node under load no charge is lost, its holds end once, and its timers move to another node', async () => {
    const [first, second, slave] = town.nodes
    const answered: CallResult[] = []
    const load = { isOver: false, cutOff: 0 }
    const callers = Array.from({ length: 9 }, async (_, index) => {
      while (!load.isOver) {
        const node = everybody[index % 3] ?? first
        if (node === first && first.child.killed) return
        await callAt(node).then(
          (answer) => answered.push(answer),
          () => load.cutOff++,
        )
      }
    })
    await expect.poll(() => answered.length, { timeout: 120_000 }).toBeGreaterThan(60)
    town.upstreamLine.freeze()
    // Nine holds stand for nine waiting callers only when every answered call has been charged, in several
    // consecutive checks.
    let quiet = 0
    const isQuiet = async () => {
      const charges = await entriesOf(answered.map(({ requestId }) => requestId))
      return charges.length === answered.length && (await openHolds(town)) === 9
    }
    await expect.poll(async () => (quiet = (await isQuiet()) ? quiet + 1 : 0)).toBeGreaterThan(4)
    const instances = await allotmentsInUse(town)
    const before = await sumOf([second, slave], 'ledger_recovered')
    first.child.kill('SIGKILL')
    await first.ended
    town.upstreamLine.thaw()
    const atLeast = answered.length + 60
    await expect.poll(() => answered.length, { timeout: 120_000 }).toBeGreaterThan(atLeast)
    load.isOver = true
    await Promise.all(callers)
    await expect.poll(() => openHolds(town)).toBe(3)
    const instance = await holderOf(town)
    expect(instances.map((row) => row.instance_id)).toContain(instance)
    if (isLong) await sleep(SILENCE_MS / 2)
    else await fallSilent(town, instance)
    await expect.poll(() => openHolds(town)).toBe(0)
    await expect.poll(() => sumOf([second, slave], 'ledger_recovered')).toBe(before + 3)
    const charged = new Set(
      (await entriesOf(answered.map(({ requestId }) => requestId))).map((row) => row.request_id),
    )
    const lost = answered.filter(({ status, requestId }) => status !== 200 || !charged.has(requestId))
    expect(lost).toEqual([])
    if (!isLong) await town.judge.db.updateTable('lease').set({ until_ms: 0 }).execute()
    await expect.poll(() => metric(second.address, 'runs_timers'), { timeout: 60_000 }).toBe(1)
    expect(await metric(slave.address, 'runs_timers')).toBe(0)
    expect(load.cutOff).toBe(3)
    await expectBalanced(town)
    console.log(`${server.label}: ${answered.length} answered, ${load.cutOff} cut off, 3 recovered, 0 lost`)
  })

  it('settlements that a node could not write before it ended are in the ledger after the next start, exactly', async () => {
    const [, second] = town.nodes
    const usual = await callAt(second)
    const calls = await callsUnderWay(second, 4)
    const instance = await holderOf(town)
    await town.databaseLine.goDown()
    town.upstreamLine.thaw()
    const answers = await Promise.all(calls)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    second.child.kill(isLong ? 'SIGTERM' : 'SIGKILL')
    expect(await second.ended).toBe(isLong ? 0 : 'SIGKILL')
    await town.databaseLine.comeBack()
    if (!isLong) await fallSilent(town, instance)
    const again = await town.startAgain()
    const ids = answers.map(({ requestId }) => requestId)
    await expect.poll(async () => (await entriesOf(ids)).length, { timeout: 90_000 }).toBe(4)
    const [price] = await entriesOf([usual.requestId])
    for (const id of ids) {
      const entries = await entriesOf([id])
      expect(entries).toMatchObject([{ kind: 'consume', flags: 'late', amount: price?.amount }])
    }
    expect((await callAt(again)).status).toBe(200)
    await expectBalanced(town)
    console.log(`${server.label}: 4 settlements outlived their process`)
  })
})
