import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, type Visitor } from '../harness.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from '../relay/upstream.ts'
import { Vendor } from './vendor.ts'

/**
 * How an operator sees and refreshes an OAuth credential, over the real server and a vendor that responds
 * over HTTP.
 */

const HOUR_MS = 3_600_000

let gateway: TestServer
let admin: Visitor
let place: ScriptedUpstream
let vendor: Vendor
let channel: number

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  admin = await gateway.user({ role: 10 })
  vendor = new Vendor(() => Date.now())
  place = await openScriptedUpstream(async (response, { text }) => {
    const { status, body } = await vendor.exchange({ body: text })
    sendJson(response, status, JSON.parse(body.toString()))
  })
  const body = {
    type: 57,
    name: 'subscription',
    key: vendor.key(HOUR_MS),
    models: 'gpt-5.5',
    group: 'default',
    other: `${place.url}/oauth/token`,
  }
  ;({ id: channel } = await gateway.root.call(routes.channel.create, { body }))
})
afterAll(async () => {
  await gateway.close()
  await place.close()
})

async function look() {
  const [key] = await admin.call(routes.channelKey.list, { params: { id: channel } })
  if (key === undefined) throw new Error('the channel has a key')
  return key
}

const renew = (hash: string) =>
  admin.call(routes.channelKey.renew, { params: { id: channel }, body: { hash } })

test('the expiry of a credential is shown, and a manual refresh extends it', async () => {
  const before = await look()
  expect(before).toMatchObject({ can_renew: true, reason: '', status: 1 })
  expect(before.ends_time).toBeGreaterThan(Date.now() / 1000)
  const renewed = await renew(before.hash)
  const after = await look()
  expect(after).toMatchObject(renewed)
  expect(after.ends_time).toBeGreaterThan(before.ends_time + 24 * 3600)
  expect(place.received.map(({ path }) => path)).toEqual(['/oauth/token'])
  await expect(renew(before.hash)).rejects.toThrow('no longer has this key')
})

test('the reason of a failed refresh is returned at once and kept at the key, without secrets', async () => {
  vendor.trouble = 'echoes'
  const { hash } = await look()
  const response = await admin.fetch(`/api/channel/${channel}/keys/renew`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hash }),
  })
  const text = await response.text()
  expect(text).toContain('no such ***')
  expect(await look()).toMatchObject({ status: 1, reason: expect.stringContaining('no such ***') })
  const audit = await gateway.root.call(routes.audit.list, { query: {} })
  const mails = await gateway.server.store.db.selectFrom('outbox').selectAll().execute()
  const everything = text + JSON.stringify([await look(), audit, mails])
  expect(everything).not.toMatch(/access\.\w+|refresh-secret/)
})

test('ordinary users cannot refresh a credential, and other providers have none', async () => {
  const { hash } = await look()
  const user = await gateway.user()
  await expect(
    user.call(routes.channelKey.renew, { params: { id: channel }, body: { hash } }),
  ).rejects.toThrow()
  const body = { type: 1, name: 'plain', key: 'sk-0123456789abcdef', models: 'gpt-4o', group: 'default' }
  const { id } = await gateway.root.call(routes.channel.create, { body })
  const [plain] = await admin.call(routes.channelKey.list, { params: { id } })
  expect(plain).toMatchObject({ can_renew: false, ends_time: 0 })
  await expect(
    admin.call(routes.channelKey.renew, { params: { id }, body: { hash: plain?.hash ?? '' } }),
  ).rejects.toThrow('are not renewed')
})

test('a copied channel has no credential and cannot be enabled before it gets one', async () => {
  const { id } = await admin.call(routes.channel.copy, { params: { id: channel }, body: {} })
  const params = { id }
  expect(await admin.call(routes.channel.get, { params })).toMatchObject({
    status: 2,
    key_preview: '',
    key_count: 0,
  })
  expect(await admin.call(routes.channelKey.list, { params })).toEqual([])
  const enabled = { id, status: 1 }
  await expect(admin.call(routes.channel.update, { body: enabled })).rejects.toThrow('fill in a key')
  const key = new Vendor(() => Date.now()).key(HOUR_MS)
  expect(await admin.call(routes.channel.update, { body: { ...enabled, key } })).toMatchObject({
    status: 1,
    key_count: 1,
  })
  expect(await look()).toMatchObject({ can_renew: true })
})
