import { routes } from '@tollgate/contract/routes'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { accountId } from '@tollgate/ledger/account'
import { rollUpUsage } from '@tollgate/store/usage/roll-up'
import { openTaskUpstream, type TaskUpstream } from '@tollgate/testkit/fake-task-upstream'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type TestServer, type Visitor, startTestServer } from './harness.ts'
import { MODEL, relayCall } from './nodes/operator.ts'

/**
 * The amount spent must be the same on every page, file and route: the ledger's charges minus its refunds.
 */

const LIST = '/mj/task/list-by-condition'
const CALLS = 5
const GIVEN = 5_000_000

let gateway: TestServer
let models: FakeUpstream
let studio: TaskUpstream
let alice: Visitor
let token: { id: number; key: string }

beforeAll(async () => {
  ;[models, studio] = await Promise.all([startFakeUpstream(), openTaskUpstream()])
  gateway = await startTestServer({ hasThreads: true })
  await addChannel({ type: 1, models: MODEL, base_url: models.url })
  await addChannel({ type: 2, models: 'mj_imagine,mj_blend', base_url: studio.url })
  await addChannel({ type: 36, models: 'suno_music', base_url: studio.url })
  alice = await gateway.user({ username: 'alice' })
  await gateway.server.ledger.credit({
    key: 'topup:test:figures',
    account: accountId('user', alice.id),
    amount: BigInt(GIVEN),
  })
  const { id, key } = await alice.call(routes.token.create, {
    body: { name: 'studio', remain_quota: 4_000_000, unlimited_quota: false },
  })
  token = { id, key: key.startsWith('sk-') ? key : `sk-${key}` }
  for (let made = 0; made < CALLS; made++)
    expect(await relayCall({ address: gateway.address, key: token.key })).toMatchObject({ status: 200 })
  await drawAndSing()
  await leaveCallInterrupted()
  gateway = await gateway.restart()
  alice = moved(alice)
  await settleLate()
})
afterAll(async () => {
  await Promise.all([gateway.close(), models.close(), studio.close()])
})

async function addChannel(channel: { type: number; models: string; base_url: string }): Promise<void> {
  const common = { key: 'sk-upstream-key', name: `type ${channel.type}`, group: 'default' }
  await gateway.root.call(routes.channel.create, { body: { ...common, ...channel } })
}

async function post(path: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${token.key}`, 'content-type': 'application/json' }
  const response = await fetch(gateway.address + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(response.status, await response.text()).toBe(200)
}

/** Makes two drawings and two songs, of which one each fails and is refunded. */
async function drawAndSing(): Promise<void> {
  for (const id of ['drawn', 'not-drawn']) {
    studio.answer('/mj/submit/imagine', { body: { code: 1, description: 'ok', result: id, properties: {} } })
    await post('/mj/submit/imagine', { prompt: 'a cat' })
  }
  for (const id of ['sung', 'not-sung']) {
    studio.answer('/suno/submit/MUSIC', { body: { code: 'success', message: '', data: id } })
    await post('/suno/submit/music', { gpt_description_prompt: 'a waltz' })
  }
  studio.answer(LIST, {
    body: [
      { id: 'drawn', status: 'SUCCESS', progress: '100%' },
      { id: 'not-drawn', status: 'FAILURE', progress: '100%', failReason: 'the sky fell' },
    ],
  })
  studio.answer('/suno/fetch', {
    body: {
      code: 'success',
      data: [
        { task_id: 'sung', action: 'MUSIC', status: 'SUCCESS', progress: '100%', data: [] },
        { task_id: 'not-sung', action: 'MUSIC', status: 'FAILURE', progress: '100%', fail_reason: 'hoarse' },
      ],
    },
  })
  await gateway.root.call(routes.job.run, { params: { name: 'poll-tasks' } })
  await vi.waitFor(
    async () => expect(await ended()).toEqual(['FAILURE', 'FAILURE', 'SUCCESS', 'SUCCESS']),
    WAIT,
  )
}

const WAIT = { timeout: 30_000, interval: 100 }

async function ended(): Promise<readonly string[]> {
  const { db } = gateway.server.store
  const tasks = await db.selectFrom('tasks').select('status').execute()
  return tasks.map(({ status }) => status).toSorted()
}

const LATE = 'interrupted-call'

/** A process ends in the middle of a call; the next process charges what had been recorded by then. */
async function leaveCallInterrupted(): Promise<void> {
  const { ledger } = gateway.server
  await ledger.reserve({
    holdId: LATE,
    userAccount: accountId('user', alice.id),
    tokenAccount: accountId('token', token.id),
    amount: 9_000n,
    ceiling: 9_000n,
    priceJson: samplePriceJson,
  })
  await ledger.checkpoint({ holdId: LATE, amount: 3_000n, channelId: 1 })
}

/** The real cost of that call becomes known afterwards and is settled as a correction. */
async function settleLate(): Promise<void> {
  const log = { ...sampleLog(LATE), created_at: Math.floor(Date.now() / 1000), model_name: MODEL }
  const settled = await gateway.server.ledger.settle({
    holdId: LATE,
    amount: 7_777n,
    flags: [],
    channelId: 1,
    usageJson: '',
    log: {
      ...log,
      user_id: alice.id,
      username: 'alice',
      token_id: token.id,
      token_name: 'studio',
      channel_id: 1,
    },
  })
  expect(settled).toMatchObject({ charged: 7_777n, late: true })
  await gateway.server.ledger.rollUp()
}

function moved(visitor: Visitor): Visitor {
  const again = gateway.visitor()
  return Object.assign(again, { id: visitor.id, cookie: visitor.cookie })
}

interface LedgerSums {
  readonly charged: number
  readonly refunded: number
  readonly net: number
  readonly calls: number
}

/** Sums from the ledger entries, of one channel or of all of them. */
async function ledgerSums(channelId?: number): Promise<LedgerSums> {
  const { db } = gateway.server.store
  const entries = await db
    .selectFrom('entry')
    .select(['kind', 'amount', 'channel_id'])
    .where('kind', 'in', ['consume', 'correction', 'refund'])
    .where('op_key', 'not like', 'refunded:%')
    .execute()
  const own = entries.filter((entry) => channelId === undefined || entry.channel_id === channelId)
  const sum = (isRefund: boolean) =>
    Number(
      own
        .filter(({ kind }) => (kind === 'refund') === isRefund)
        .reduce((all, { amount }) => all + amount, 0n),
    )
  const [charged, refunded] = [sum(false), sum(true)]
  return {
    charged,
    refunded,
    net: charged - refunded,
    calls: own.filter(({ kind }) => kind === 'consume').length,
  }
}

const range = () => {
  const now = Math.floor(Date.now() / 1000)
  return { start_timestamp: String(now - 86_400), end_timestamp: String(now + 3600) }
}
const sumOf = (list: readonly { readonly quota: number }[]) => list.reduce((sum, { quota }) => sum + quota, 0)

/** The amount spent according to every route that returns it for a time range. */
async function spentOverTime(): Promise<Readonly<Record<string, number>>> {
  const query = range()
  const { root } = gateway
  const own = { by: 'token', step: 'hour', ...query } as const
  const all = { by: 'channel', step: 'hour', ...query } as const
  return {
    'log/self/stat': (await alice.call(routes.log.statOwn, { query })).quota,
    'log/stat': (await root.call(routes.log.stat, { query: { ...query, username: 'alice' } })).quota,
    'usage/self': sumOf((await alice.call(routes.usage.seriesOwn, { query: own })).points),
    usage: sumOf((await root.call(routes.usage.series, { query: all })).points),
    'data/self': sumOf(await alice.call(routes.usage.hoursOwn, { query })),
    data: sumOf(await root.call(routes.usage.hours, { query })),
    'data of one': sumOf(await root.call(routes.usage.hours, { query: { ...query, username: 'alice' } })),
    'data/users': sumOf(await root.call(routes.family.hoursOfUsers, { query })),
  }
}

const csvRows = z.array(z.record(z.string(), z.string()))

/** Parses CSV with plain cells; texts that contain commas come after the columns used here. */
function parsed(csv: string): z.output<typeof csvRows> {
  const [head = '', ...lines] = csv.replace('\uFEFF', '').trim().split('\r\n')
  const names = head.split(',')
  return csvRows.parse(
    lines.map((line) => Object.fromEntries(line.split(',').map((cell, place) => [names[place] ?? '', cell]))),
  )
}

const total = (list: readonly Record<string, string>[], name: string) =>
  list.reduce((sum, row) => sum + Number(row[name]), 0)

describe('the amount spent', () => {
  it('every route over a time range returns charges minus refunds of the ledger', async () => {
    const { net, refunded, calls } = await ledgerSums()
    expect(refunded).toBeGreaterThan(0)
    expect(calls).toBe(CALLS + 5)
    const spent = await spentOverTime()
    expect(spent).toEqual(Object.fromEntries(Object.keys(spent).map((name) => [name, net])))
  })

  it('the amount is the same once the hours are rolled up', async () => {
    const before = await spentOverTime()
    const nowSeconds = Math.floor(Date.now() / 1000) + 2 * 3600
    expect(await rollUpUsage(gateway.server.store.db, { nowSeconds })).toBeGreaterThan(0)
    expect(await spentOverTime()).toEqual(before)
  })

  it('the amount equals the used quota of user, token and channels', async () => {
    const { net } = await ledgerSums()
    expect(await alice.call(routes.user.readSelf)).toMatchObject({ used_quota: net })
    const tokens = await alice.call(routes.token.list, { query: {} })
    expect(tokens.map(({ used_quota }) => used_quota)).toEqual([net])
    const channels = await gateway.root.call(routes.channel.list, { query: {} })
    for (const { id, used_quota } of channels) expect(used_quota, `#${id}`).toBe((await ledgerSums(id)).net)
  })

  it('the amount equals the decrease of the balance and the monthly statement', async () => {
    const { net, calls } = await ledgerSums()
    const month = new Date().toISOString().slice(0, 7)
    const statement = await alice.call(routes.statement.read, { query: { month } })
    expect(statement).toMatchObject({ spent: net, received: statement.closing + net - statement.opening })
    expect(statement.days.reduce((sum, { spent }) => sum + spent, 0)).toBe(net)
    expect(statement.days.reduce((sum, day) => sum + day.calls, 0)).toBe(calls)
    expect(statement.closing).toBe((await alice.call(routes.user.readSelf)).quota)
    const { csv } = await alice.call(routes.statement.csv, { query: { month } })
    const charges = parsed(csv).filter(({ kind = '' }) => ['consume', 'correction', 'refund'].includes(kind))
    expect(total(charges, 'quota')).toBe(-net)
  })

  it('the amount equals the sum of the usage log rows and of their exported files', async () => {
    const { net } = await ledgerSums()
    const { items } = await alice.call(routes.log.listOwn, { query: { page_size: '100' } })
    const signed = items.map(({ type, quota }) => (type === LOG_TYPE.refund ? -quota : quota))
    expect(signed.reduce((sum, quota) => sum + quota, 0)).toBe(net)
    const csv = await (await alice.fetch('/api/log/self/export?format=csv')).text()
    expect(total(parsed(csv), 'quota')).toBe(net)
    const lines = await (await alice.fetch('/api/log/self/export?format=jsonl')).text()
    const row = z.object({ quota: z.number() })
    expect(
      sumOf(
        lines
          .trim()
          .split('\n')
          .map((line) => row.parse(JSON.parse(line))),
      ),
    ).toBe(net)
  })
})

describe('tasks in the lists', () => {
  it('a failed task is listed with a cost of zero, a completed one with its charge', async () => {
    const drawings = await alice.call(routes.task.listOwnDrawings, { query: {} })
    expect(drawings.map(({ mj_id, quota }) => [mj_id, quota])).toEqual([
      ['not-drawn', 0],
      ['drawn', 50_000],
    ])
    const songs = await gateway.root.call(routes.task.list, { query: {} })
    expect(songs.map(({ task_id, quota }) => [task_id, quota > 0])).toEqual([
      ['not-sung', false],
      ['sung', true],
    ])
  })
})

const stat = (type: number) => alice.call(routes.log.statOwn, { query: { ...range(), type: String(type) } })

describe('totals of the usage log', () => {
  it('totals follow the type filter: charges, refunds, and zero for other types', async () => {
    const { charged, refunded, net, calls } = await ledgerSums()
    expect(await stat(0)).toMatchObject({ quota: net, count: calls })
    expect(await stat(LOG_TYPE.consumption)).toMatchObject({ quota: charged, count: calls })
    expect(await stat(LOG_TYPE.refund)).toMatchObject({
      quota: -refunded,
      count: 0,
      token: 0,
      rpm: 0,
      tpm: 0,
    })
    for (const type of [LOG_TYPE.signIn, LOG_TYPE.topUp, LOG_TYPE.error])
      expect(await stat(type)).toMatchObject({ quota: 0, count: 0, token: 0, rpm: 0, tpm: 0 })
  })

  it('totals follow every other filter', async () => {
    const { root } = gateway
    const { net, refunded } = await ledgerSums(2)
    expect(refunded).toBeGreaterThan(0)
    const of = async (filter: Record<string, string>) =>
      (await root.call(routes.log.stat, { query: { ...range(), ...filter } })).quota
    expect(await of({ channel: '2' })).toBe(net)
    expect(await of({ model_name: 'mj_imagine' })).toBe(net)
    expect(await of({ model_name: 'mj_%', token_name: 'studio', group: 'default' })).toBe(net)
    expect(await of({ token_name: 'another' })).toBe(0)
    expect(await of({ username: 'root' })).toBe(0)
    expect(await of({ channel: '2', type: String(LOG_TYPE.refund) })).toBe(-refunded)
  })
})
