import { type Receiver, alertRoutes } from '@tollgate/contract/alert'
import { operationsRoutes } from '@tollgate/contract/operations'
import { routes } from '@tollgate/contract/routes'
import { endJobRun } from '@tollgate/store/operations/job-runs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'
import { type ScriptedUpstream, openScriptedUpstream, sendJson } from './relay/upstream.ts'

let receiver: ScriptedUpstream
let gateway: TestServer
let slack: string
let dingtalk: string

beforeAll(async () => {
  receiver = await openScriptedUpstream()
  gateway = await startTestServer({ isInMemory: true })
  await set('AlertsEnabled', 'true')
  slack = await add({ name: 'Team', kind: 'slack', fields: { url: `${receiver.url}/slack` } })
  dingtalk = await add({
    name: '值班群',
    kind: 'dingtalk',
    fields: { url: `${receiver.url}/dingtalk?access_token=t`, secret: 'SECx' },
  })
})
beforeEach(() => {
  receiver.respond = (response) => sendJson(response, 200, { errcode: 0 })
})
afterAll(async () => {
  await Promise.all([gateway.close(), receiver.close()])
})

async function set(key: string, value: string): Promise<void> {
  await gateway.root.call(routes.option.update, { body: { key, value } })
}

type Added = Pick<Receiver, 'name' | 'kind' | 'fields'>

async function add(body: Added): Promise<string> {
  return (await gateway.root.call(alertRoutes.createReceiver, { body })).id
}

async function audit(findings: number): Promise<void> {
  const run = { name: 'audit', started_ms: 1, ended_ms: 2, next_ms: 3, outcome: 'ok' } as const
  await endJobRun(gateway.server.store.db, { ...run, figures: JSON.stringify({ findings }) })
}

/** Runs the job and waits until it has looked. */
async function watch(): Promise<void> {
  const jobs = () => gateway.root.call(routes.job.list)
  await gateway.root.call(routes.job.run, { params: { name: 'watch-alerts' } })
  await expect
    .poll(async () => (await jobs()).find(({ name }) => name === 'watch-alerts'))
    .toMatchObject({ state: 'idle', outcome: 'ok' })
}

const got = (path: string) =>
  receiver.received.filter((each) => each.path.startsWith(path)).map(({ text }) => text)

test('what is wrong reaches every receiver once, and its end too', async () => {
  await audit(3)
  await watch()
  await watch()
  await expect.poll(() => [got('/slack').length, got('/dingtalk').length]).toEqual([1, 1])
  expect(got('/slack')[0]).toContain('The audit of the ledger found 3 differences')
  expect(receiver.received.find(({ path }) => path.startsWith('/dingtalk'))?.path).toMatch(
    /&timestamp=\d+&sign=/,
  )
  expect(await gateway.root.call(alertRoutes.list)).toMatchObject([{ rule: 'audit', is_sent: true }])
  await audit(0)
  await watch()
  await expect.poll(() => got('/slack').length).toBe(2)
  expect(got('/slack')[1]).toContain('Over: The audit of the ledger found 3 differences')
  expect(await gateway.root.call(alertRoutes.list)).toEqual([])
})

function slackWork() {
  return gateway.server.store.db
    .selectFrom('outbox')
    .select(['state', 'attempts'])
    .where('cause', 'like', `alert:audit:%:open:${slack}`)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

test('a receiver that is down is tried again, and the other one is not told twice', async () => {
  receiver.respond = (response, { path }) =>
    path.startsWith('/slack') ? sendJson(response, 500, {}) : sendJson(response, 200, { errcode: 0 })
  const before = got('/dingtalk').length
  await audit(5)
  await watch()
  await expect.poll(slackWork).toEqual({ state: 'pending', attempts: 1 })
  await expect.poll(() => got('/dingtalk').length).toBe(before + 1)
})

test('above the hourly limit an alert is open and not sent', async () => {
  await set('AlertsPerHour', '1')
  await set('AlertUpstreamBalance', '10')
  await gateway.root.call(routes.channel.create, {
    body: { type: 1, key: 'sk-up', name: 'poor', base_url: receiver.url, models: 'gpt-4o', group: 'default' },
  })
  await gateway.server.store.db.updateTable('channels').set({ balance: 2, balance_updated_time: 1 }).execute()
  await watch()
  const open = await gateway.root.call(alertRoutes.list)
  expect(open.find(({ rule }) => rule === 'balance')).toMatchObject({
    is_sent: false,
    title: { en: expect.stringContaining('poor') },
  })
  expect(receiver.received.some(({ text }) => text.includes('poor'))).toBe(false)
})

const about = (path: string, words: string) => got(path).filter((text) => text.includes(words)).length

const sendTest = (id: string) => gateway.root.call(alertRoutes.testReceiver, { params: { id } })
const list = () => gateway.root.call(alertRoutes.receivers)

test('the test button says what a receiver answered', async () => {
  receiver.respond = (response, { path }) =>
    sendJson(response, 200, path.startsWith('/dingtalk') ? { errcode: 310000, errmsg: 'sign not match' } : {})
  expect(await sendTest(dingtalk)).toEqual({ is_ok: false, reason: 'the receiver refused: sign not match' })
  expect(await sendTest(slack)).toEqual({ is_ok: true, reason: '' })
})

test('two receivers of one kind both get an alert, and a removed one gets nothing', async () => {
  await set('AlertsPerHour', '1000')
  const second = await add({ name: 'Second team', kind: 'slack', fields: { url: `${receiver.url}/second` } })
  await audit(0)
  await watch()
  await audit(9)
  await watch()
  await expect.poll(() => [about('/slack', 'found 9'), about('/second', 'found 9')]).toEqual([1, 1])
  await gateway.root.call(alertRoutes.removeReceiver, { params: { id: second } })
  await audit(0)
  await watch()
  await expect.poll(() => about('/slack', 'Over: The audit of the ledger found 9')).toBe(1)
  expect(about('/second', 'Over: The audit of the ledger found 9')).toBe(0)
  expect((await list()).map(({ name }) => name)).toEqual(['Team', '值班群'])
})

test('a secret is never shown again, kept when it is not sent, and not sent to another address', async () => {
  const fields = { url: `${receiver.url}/hook`, secret: 'a signing secret' }
  const id = await add({ name: 'Hook', kind: 'webhook', fields })
  expect((await list()).find((one) => one.id === id)).toEqual({
    id,
    name: 'Hook',
    kind: 'webhook',
    fields: {},
    secrets: ['url', 'secret'],
    is_ready: true,
  })
  const update = (body: Pick<Receiver, 'name' | 'fields'>) =>
    gateway.root.call(alertRoutes.updateReceiver, { params: { id }, body })
  await update({ name: 'Hook two', fields: {} })
  receiver.respond = (response) => sendJson(response, 200, {})
  expect(await sendTest(id)).toMatchObject({ is_ok: true })
  expect(receiver.received.at(-1)?.headers['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/)
  await expect(update({ name: 'Hook', fields: { url: `${receiver.url}/other` } })).rejects.toThrow(
    'would be sent to another address',
  )
  await expect(update({ name: 'Hook', fields: { url: 'ftp://x', secret: '' } })).rejects.toThrow(
    'Webhook URL',
  )
  await expect(add({ name: 'x', kind: 'slack', fields: {} })).rejects.toThrow('Webhook URL')
  await expect(add({ name: 'x', kind: 'mail', fields: { to: 'nobody' } })).rejects.toThrow('Address')
  const stored = JSON.stringify([
    await gateway.root.call(routes.option.list),
    await list(),
    await gateway.server.store.db.selectFrom('audit_log').selectAll().execute(),
    await gateway.server.store.db.selectFrom('option_changes').selectAll().execute(),
    await gateway.server.store.db.selectFrom('options').selectAll().execute(),
  ])
  expect(stored).toContain('Hook two')
  expect(stored).not.toContain(`${receiver.url}/`)
  expect(stored).not.toContain('a signing secret')
  await gateway.root.call(alertRoutes.removeReceiver, { params: { id } })
})

test('the operations page has the process that reported', async () => {
  await expect
    .poll(async () => (await gateway.root.call(operationsRoutes.read)).nodes)
    .toMatchObject([{ is_alive: true, is_leader: true, pid: process.pid }])
  expect(await gateway.root.call(operationsRoutes.read)).toMatchObject({
    is_ledger_writable: true,
    audit_findings: 0,
    open_holds: 0,
    fold_lag_seconds: expect.any(Number),
  })
})
