import { alertRoutes } from '@tollgate/contract/alert'
import { operationsRoutes } from '@tollgate/contract/operations'
import { routes } from '@tollgate/contract/routes'
import { endJobRun } from '@tollgate/store/operations/job-runs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'
import { type ScriptedUpstream, openScriptedUpstream, sendJson } from './relay/upstream.ts'

let receiver: ScriptedUpstream
let gateway: TestServer

beforeAll(async () => {
  receiver = await openScriptedUpstream()
  gateway = await startTestServer({ isInMemory: true })
  await set('AlertsEnabled', 'true')
  await set('AlertSlackUrl', `${receiver.url}/slack`)
  await set('AlertDingTalkUrl', `${receiver.url}/dingtalk?access_token=t`)
  await set('AlertDingTalkSecret', 'SECx')
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
    .where('cause', 'like', 'alert:audit:%:open:slack')
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

test('the test button says what each receiver answered', async () => {
  receiver.respond = (response, { path }) =>
    sendJson(response, 200, path.startsWith('/dingtalk') ? { errcode: 310000, errmsg: 'sign not match' } : {})
  expect(await gateway.root.call(alertRoutes.test)).toEqual([
    { receiver: 'dingtalk', is_ok: false, reason: 'the receiver refused: sign not match' },
    { receiver: 'slack', is_ok: true, reason: '' },
  ])
})

test('addresses of receivers are never shown again', async () => {
  const options = JSON.stringify(await gateway.root.call(routes.option.list))
  expect(options).toContain('AlertSlackUrl')
  expect(options).not.toContain(receiver.url)
  expect(options).not.toContain('SECx')
})

test('the operations page has the process that reported', async () => {
  await expect
    .poll(async () => (await gateway.root.call(operationsRoutes.read)).nodes)
    .toMatchObject([{ is_alive: true, is_leader: true, pid: process.pid }])
  expect(await gateway.root.call(operationsRoutes.read)).toMatchObject({
    is_ledger_writable: true,
    audit_findings: 5,
    open_holds: 0,
    fold_lag_seconds: expect.any(Number),
  })
})
