import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { type CanaryServer, openCanaryUpstream, openAttackerServer } from './canary-server.ts'
import { channelWrites, type ChannelWrite, OWN_KEY, type WriteStep } from './channel-writes.ts'
import { chosen, reportAttacks } from './index.ts'

const KEY = 'sk-stored-key-0123456789abcdef'
const SIGN_IN =
  '{"access_token":"stored-access-token","refresh_token":"stored-refresh-token","account_id":"a"}'
const LOGIN = 'stored-proxy-password'
const STORED = [
  KEY,
  'stored-access-token',
  'stored-refresh-token',
  'stored-header-value',
  'stored-override-value',
  LOGIN,
  Buffer.from(`name:${LOGIN}`).toString('base64'),
]
const stored = {
  header_override: '{"X-Team":"stored-header-value"}',
  param_override: '{"operations":[{"mode":"set_header","path":"x-more","value":"stored-override-value"}]}',
}

/** Virtual time that has passed between attacks: requests to upstreams are limited per minute. */
let passedMs = 0
const clock = { nowMs: () => Date.now() + passedMs, monotonicMs: () => performance.now() + passedMs }
const MINUTE_MS = 61_000

let gateway: TestServer
let home: CanaryServer
let thief: CanaryServer
let admin: Visitor
let token: string
/** API token with which the calls are made. */
let key: string
let count = 0

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, clock })
  home = await openCanaryUpstream()
  thief = await openAttackerServer()
  admin = await gateway.user({ role: 10 })
  token = await gateway.root.call(routes.user.resetAccessToken)
  ;({ key } = await gateway.root.call(routes.token.create, {
    body: { name: 'calls', unlimited_quota: true },
  }))
})
afterAll(async () => {
  reportAttacks({ kind: 'channel writes', count })
  await gateway.close()
  await home.close()
  await thief.close()
})

type Ask = (step: WriteStep) => Promise<Record<string, unknown>>

async function send(who: Visitor, { method, path, body }: WriteStep, more: Record<string, string> = {}) {
  const headers = { ...more, ...(body && { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response =
    more['authorization'] === undefined
      ? await who.fetch(path, init)
      : await fetch(gateway.address + path, init)
  const text = await response.text()
  const answer: Record<string, unknown> = JSON.parse(text)
  return answer
}

const actors: readonly (readonly [string, Ask])[] = [
  ['an administrator', (step) => send(admin, step)],
  [
    'the access token of the super admin',
    (step) => send(gateway.root, step, { authorization: token, 'tollgate-user': String(gateway.root.id) }),
  ],
]

const bodies = {
  openai: { type: 1, key: KEY },
  'masked proxy': { type: 1, key: KEY },
  custom: { type: 8, key: KEY },
  advanced: { type: 58, key: KEY },
  codex: { type: 57, key: SIGN_IN },
}

async function newChannel(type: ChannelWrite['type'] = 'openai'): Promise<number> {
  const base_url = type === 'custom' ? `${home.url}/v1/chat/completions` : home.url
  const proxy = `http://name:${LOGIN}@127.0.0.1:${home.port}`
  const setting = type === 'masked proxy' ? JSON.stringify({ proxy }) : ''
  const body = {
    name: 'attacked',
    models: 'gpt-4o',
    group: 'default',
    base_url,
    setting,
    ...stored,
    ...bodies[type],
  }
  const { id } = await gateway.root.call(routes.channel.create, { body })
  return id
}

/** Does everything that makes the gateway use the channel's key. */
async function useChannel(id: number): Promise<void> {
  passedMs += MINUTE_MS
  // A copied channel starts disabled, so it is enabled first.
  await gateway.root.call(routes.channel.update, { body: { id, status: 1 } })
  await use(`/api/channel/fetch_models/${id}`)
  for (const model of ['gpt-4o', `127.0.0.1:${thief.port}`]) {
    await use(`/api/channel/test/${id}?model=${encodeURIComponent(model)}`)
    await call(id, model)
  }
  await use(`/api/channel/update_balance/${id}`)
  const keys = await gateway.root.callWhole(routes.channelKey.list, { params: { id }, query: {} })
  for (const { hash } of keys.data) await use(`/api/channel/${id}/keys/renew`, { hash })
}

/** Sends a call that names its channel. */
async function call(id: number, model: string): Promise<void> {
  const response = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}-${id}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await response.text()
}

async function use(path: string, body?: Readonly<Record<string, unknown>>): Promise<void> {
  const { root } = gateway
  const headers = { 'content-type': 'application/json' }
  const response = await root.fetch(path, body && { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status === 429) throw new Error(`${path} was not asked: too many questions`)
}

function filled(step: WriteStep, places: Readonly<Record<string, string | number>>): WriteStep {
  const fill = (text: string) =>
    Object.entries(places).reduce((done, [name, value]) => done.replaceAll(`{${name}}`, String(value)), text)
  const body = step.body && JSON.parse(fill(JSON.stringify(step.body)))
  for (const name of ['id'] as const)
    if (body && /^\d+$/.test(String(body[name]))) body[name] = Number(body[name])
  if (body && Array.isArray(body.ids)) body.ids = body.ids.map(Number)
  return { ...step, path: fill(step.path), ...(body && { body }) }
}

async function attack(write: ChannelWrite, ask: Ask): Promise<void> {
  passedMs += MINUTE_MS
  const id = await newChannel(write.type)
  const { key_preview: preview } = await gateway.root.call(routes.channel.get, { params: { id } })
  const host = `127.0.0.1:${thief.port}`
  let copy = 0
  for (const step of write.steps) {
    const places = {
      id,
      copy,
      preview,
      home: home.url,
      thief: thief.url,
      thiefhost: host,
      'thief@': `http://127.0.0.1:${home.port}@${host}`,
      'thief***': `http://***@${host}`,
      'proxy***': `http://***@127.0.0.1:${home.port}`,
    }
    const { data } = await ask(filled(step, places))
    if (typeof data === 'object' && data !== null && 'id' in data) copy = Number(data.id)
  }
  await useChannel(id)
  if (copy !== 0 && copy !== id) await useChannel(copy)
  await gateway.root.fetch(`/api/channel/${id}`, { method: 'DELETE' })
}

test.each(actors)(
  'no write of %s sends a stored secret to a server it was not entered for',
  async (_who, ask) => {
    for (const write of chosen(channelWrites)) {
      thief.forget()
      await attack(write, ask)
      for (const secret of STORED)
        expect(thief.seen().includes(secret), `${write.name} shows ${secret}`).toBe(false)
      count++
    }
  },
)

test('a channel that was not moved still sends its key and headers to its own upstream', async () => {
  const id = await newChannel()
  home.forget()
  await useChannel(id)
  for (const secret of [KEY, 'stored-header-value', 'stored-override-value'])
    expect(home.seen()).toContain(secret)
})

test('an administrator who enters a key can move the channel with it, and stored values they did not enter are not sent along', async () => {
  const id = await newChannel()
  const moved = {
    id,
    base_url: thief.url,
    key: OWN_KEY,
    header_override: '{"X-Team":"own value"}',
    param_override: '',
  }
  thief.forget()
  expect(await send(admin, { method: 'PUT', path: '/api/channel', body: moved })).toMatchObject({
    success: true,
  })
  await useChannel(id)
  for (const own of [OWN_KEY, 'own value']) expect(thief.seen()).toContain(own)
  for (const secret of STORED) expect(thief.seen()).not.toContain(secret)
})

test('the super admin can move a channel soon after signing in, with everything it stores', async () => {
  const id = await newChannel()
  thief.forget()
  await gateway.root.call(routes.channel.update, { body: { id, base_url: thief.url } })
  await useChannel(id)
  for (const secret of [KEY, 'stored-header-value', 'stored-override-value'])
    expect(thief.seen()).toContain(secret)
})

test('an administrator can edit everything else without entering the key', async () => {
  const id = await newChannel()
  const whole = await admin.call(routes.channel.get, { params: { id } })
  const { type, base_url, other, setting, param_override, header_override } = whole
  const kept = { type, base_url: `${base_url}/`, other, setting, param_override, header_override }
  const body = {
    id,
    ...kept,
    key: '',
    name: 'renamed',
    models: 'gpt-4o,o1',
    model_mapping: '{"o1":"o3"}',
    priority: 5,
  }
  expect(await admin.call(routes.channel.update, { body })).toMatchObject({
    name: 'renamed',
    header_override,
  })
  home.forget()
  await useChannel(id)
  expect(home.seen()).toContain('stored-header-value')
})

test.each([
  ['to another type', { type: 8 }, 'secret_needed_again'],
  ['without the key', { base_url: 'https://other.example' }, 'secret_needed_again'],
  [
    'with the key and stored headers',
    { base_url: 'https://other.example', key: OWN_KEY },
    'channel_values_needed_again',
  ],
  ['with a rule that shows the key', { header_override: '{"X-Key":"{api_key}"}' }, 'secret_needed_again'],
])(
  'an administrator who moves a channel %s gets an error that names the values to enter again',
  async (_title, change, code) => {
    const id = await newChannel()
    const answer = await send(admin, { method: 'PUT', path: '/api/channel', body: { id, ...change } })
    expect(answer).toMatchObject({ success: false, code })
  },
)
