import { callSessionRoutes } from '@tollgate/contract/call-session'
import { logRoutes } from '@tollgate/contract/log'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { answerWith, openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'

/** What a user can learn about the sessions of others over HTTP, and what happens to oversized ids. */

const MODEL = 'gpt-4o-mini'
const LONG = 'x'.repeat(10_000)

let gateway: TestServer
let upstream: ScriptedUpstream
let alice: Visitor
let mallory: Visitor
/** The id under which Alice sees her session. */
let session: string

beforeAll(async () => {
  upstream = await openScriptedUpstream(answerWith())
  gateway = await startTestServer({ isInMemory: true })
  const { root } = gateway
  await root.call(routes.option.update, { body: { key: 'QuotaForNewUser', value: 50_000_000 } })
  await root.call(routes.channel.create, {
    body: { type: 1, name: 'one', key: 'sk-upstream-key', models: MODEL, base_url: upstream.url },
  })
  alice = await gateway.user({ username: 'alice' })
  mallory = await gateway.user({ username: 'mallory' })
  session = (await callOf(alice, { headers: { 'x-session-id': 'project' } })).session
})

afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

interface CallParts {
  readonly headers?: Record<string, string>
  readonly body?: Record<string, unknown>
}

/** Makes a call with a new token of the user and returns its row. */
async function callOf(owner: Visitor, { headers, body }: CallParts) {
  const { key } = await owner.call(routes.token.create, { body: { name: 'cli', unlimited_quota: true } })
  const bearer = key.startsWith('sk-') ? key : `sk-${key}`
  const response = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hi' }], ...body }),
  })
  expect(response.status, await response.text()).toBe(200)
  const { items } = await owner.call(logRoutes.listOwn, { query: { page_size: 1 } })
  const [row] = items
  if (row === undefined) throw new Error('the call has no row')
  return row
}

describe('the session of another user', () => {
  test('is found by its owner', async () => {
    expect(session).toMatch(/^[\w-]{24}$/)
    const { calls } = await alice.call(callSessionRoutes.getOwn, { params: { session } })
    expect(calls).toHaveLength(1)
  })

  test('is not found by its id, and is in no list of another user', async () => {
    await expect(mallory.call(callSessionRoutes.getOwn, { params: { session } })).rejects.toMatchObject({
      code: 'not_found',
    })
    const list = await mallory.call(callSessionRoutes.listOwn, {})
    expect([list.total, list.items]).toEqual([0, []])
  })

  test('is not shown to a user by the routes of operators', async () => {
    for (const work of [
      () => mallory.call(callSessionRoutes.get, { params: { session } }),
      () => mallory.call(callSessionRoutes.list, {}),
      () => mallory.call(logRoutes.list, { query: { session } }),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'role_too_low' })
  })

  test('as a filter finds none of its calls and adds nothing to sums', async () => {
    const { items, total } = await mallory.call(logRoutes.listOwn, { query: { session } })
    expect([items, total]).toEqual([[], 0])
    const { quota } = await mallory.call(logRoutes.statOwn, { query: { session } })
    expect(quota).toBe(0)
    expect((await alice.call(logRoutes.statOwn, { query: { session } })).quota).toBeGreaterThan(0)
  })

  test('is not joined by a call that names it', async () => {
    for (const name of ['project', session]) {
      const row = await callOf(mallory, { headers: { 'x-session-id': name } })
      expect(row.session).not.toBe(session)
    }
    const { calls } = await alice.call(callSessionRoutes.getOwn, { params: { session } })
    expect(calls).toHaveLength(1)
  })
})

describe('an id of 10 KB', () => {
  test.each<[string, CallParts]>([
    ['x-session-id', { headers: { 'x-session-id': LONG } }],
    ['conversation_id', { headers: { conversation_id: LONG } }],
    ['prompt_cache_key', { body: { prompt_cache_key: LONG } }],
    ['metadata.user_id', { body: { metadata: { user_id: JSON.stringify({ session_id: LONG }) } } }],
    ['user', { body: { user: LONG } }],
  ])('in %s names no session', async (_name, parts) => {
    const row = await callOf(alice, parts)
    expect(row.session).toBe('')
    expect(JSON.stringify(row)).not.toContain('xxxx')
  })

  test('is refused as the id of a session and as a filter', async () => {
    const get = alice.call(callSessionRoutes.getOwn, { params: { session: LONG } })
    await expect(get).rejects.toMatchObject({ status: 404 })
    const list = alice.call(logRoutes.listOwn, { query: { session: LONG } })
    await expect(list).rejects.toMatchObject({ code: 'input_invalid' })
  })
})
