import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, ROOT, type TestServer, startTestServer } from '../harness.ts'
import { type OldConsole, newOldConsole, signedIn } from './old-console.ts'

const HOUR_MS = 3_600_000
const SIGN_IN_AGAIN = 'sign-in-again-to-copy'

const clock = new ManualClock(Date.UTC(2026, 0, 5, 10))
let gateway: TestServer
let owner: OldConsole
let id: number
let key: string

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, clock })
})
afterAll(() => gateway.close())

beforeEach(async () => {
  await gateway.root.signIn(ROOT)
  owner = await newOldConsole(gateway)
  ;({ id, key } = await owner.call(routes.token.create, { body: { name: 'mine' } }))
})

const preview = () => `${key.slice(0, 3)}***${key.slice(-3)}`

/** Every request by which an old console copies a key. */
const reads: readonly [string, (who: OldConsole) => Promise<unknown>][] = [
  ['the list', async (who) => keyIn(await who.json('GET', '/api/token/?p=0&size=10'))],
  ['a search', async (who) => keyIn(await who.json('GET', '/api/token/search?keyword=mine&token='))],
  ['one token', async (who) => keyIn(await who.json('GET', `/api/token/${id}`))],
  ['the answer to an edit', async (who) => keyIn(await who.json('PUT', '/api/token/', { id, name: 'mine' }))],
]

function keyIn(answer: unknown): unknown {
  const { data } = Object(answer)
  return (Array.isArray(data) ? data[0] : data)?.key
}

async function audited() {
  return gateway.server.store.db
    .selectFrom('audit_log')
    .select(['entity_id', 'after_json'])
    .where('action', '=', 'list-keys')
    .where('actor_id', '=', owner.id)
    .orderBy('id')
    .execute()
}

const counts = async () => (await audited()).map(({ after_json }) => JSON.parse(after_json ?? ''))

function setOption(name: string, value: string) {
  return gateway.root.call(routes.option.update, { body: { key: name, value } })
}

describe.each(reads)('%s', (_name, read) => {
  test.each(['Veloera-User', 'New-Api-User'])(
    'a session with the %s header gets the whole key',
    async (header) => {
      owner.header = header
      expect(await read(owner)).toBe(key)
    },
  )

  test('a session with the Tollgate-User header gets the preview, even beside another user header', async () => {
    owner.header = 'Tollgate-User'
    expect(await read(owner)).toBe(preview())
    const response = await owner.fetch('/api/token/?p=0', { headers: { 'veloera-user': String(owner.id) } })
    expect(keyIn(await response.json())).toBe(preview())
    expect(await audited()).toEqual([])
  })

  test('a session whose sign-in is 12 hours old gets a hint instead of the key until the next sign-in', async () => {
    clock.advance(12 * HOUR_MS + 1)
    expect(await read(owner)).toBe(SIGN_IN_AGAIN)
    expect(await audited()).toEqual([])
    await owner.signIn({ username: await nameOf(owner), password: PASSWORD })
    expect(await read(owner)).toBe(key)
  })

  test('every session gets the preview when the site switched whole keys off', async () => {
    await setOption('token_setting.show_keys_to_old_consoles', 'false')
    expect(await read(owner)).toBe(preview())
    await setOption('token_setting.show_keys_to_old_consoles', 'true')
    expect(await read(owner)).toBe(key)
  })
})

async function nameOf(who: OldConsole): Promise<string> {
  return (await who.call(routes.user.readSelf)).username
}

test('an access token gets previews, whatever header is sent with it', async () => {
  const authorization = await owner.call(routes.user.resetAccessToken)
  for (const headers of [{}, { 'veloera-user': String(owner.id) }]) {
    const response = await fetch(`${gateway.address}/api/token/?p=0`, {
      headers: { authorization, ...headers },
    })
    expect(keyIn(await response.json())).toBe(preview())
  }
})

test('the keys of other users are never shown, not even to a super admin', async () => {
  const { username, password } = ROOT
  const root = await signedIn(gateway, { username, password })
  expect(JSON.stringify(await root.json('GET', '/api/token/?p=0&size=100'))).not.toContain(key)
  expect(await root.json('GET', `/api/token/${id}`)).toMatchObject({ success: false })
  expect(await root.json('POST', '/api/token/batch/keys', { ids: [id] })).toMatchObject({
    data: { keys: {} },
  })
})

test('a session writes one audit row an hour, with the number of responses and keys', async () => {
  await owner.call(routes.token.create, { body: { name: 'second' } })
  const list = () => owner.json('GET', '/api/token/?p=0&size=10')
  await Promise.all([list(), list(), list()])
  expect(await counts()).toEqual([{ answers: 3, keys: 6 }])
  clock.advance(HOUR_MS)
  await list()
  expect(await counts()).toEqual([
    { answers: 3, keys: 6 },
    { answers: 1, keys: 2 },
  ])
  const other = await signedIn(gateway, { username: await nameOf(owner), password: PASSWORD })
  await other.json('GET', '/api/token/?p=0')
  expect(await counts()).toHaveLength(3)
  const stored = JSON.stringify(await audited())
  expect(stored).not.toContain(key)
  const sessions = await owner.call(routes.account.sessions)
  expect((await audited()).map(({ entity_id }) => entity_id)).toContain(
    sessions.find((one) => one.is_current)?.id,
  )
})

test('whole keys can be listed 60 times a minute, and an edit over that limit is refused', async () => {
  for (let list = 0; list < 60; list++)
    expect(await owner.json('GET', '/api/token/')).toMatchObject({ success: true })
  const response = await owner.fetch('/api/token/')
  expect(response.status).toBe(429)
  expect(await owner.json('PUT', '/api/token/', { id, name: 'renamed' })).toMatchObject({
    code: 'too_many_requests',
  })
  owner.header = 'Tollgate-User'
  expect(await owner.json('GET', `/api/token/${id}`)).toMatchObject({ data: { name: 'mine' } })
  clock.advance(60_001)
  owner.header = 'Veloera-User'
  expect(await owner.json('GET', '/api/token/')).toMatchObject({ success: true })
})

test('a token whose stored key cannot be decrypted is listed by its preview', async () => {
  await gateway.server.store.db
    .updateTable('tokens')
    .set({ key_sealed: 'v1.broken' })
    .where('id', '=', id)
    .execute()
  expect(keyIn(await owner.json('GET', '/api/token/'))).toBe(preview())
})

const ask = (ids: unknown) => owner.json('POST', '/api/token/batch/keys', { ids })

describe('requesting several keys at once', () => {
  test('a recent session gets the keys by id, and unknown ids are left out', async () => {
    const second = await owner.call(routes.token.create, { body: { name: 'second' } })
    expect(await ask([id, String(second.id), 9_999_999])).toMatchObject({
      success: true,
      data: { keys: { [id]: key, [second.id]: second.key } },
    })
    expect(await counts()).toEqual([{ answers: 1, keys: 2 }])
  })

  test.each([[[]], [['x']], [[0]], [Array.from({ length: 101 }, (_, index) => index + 1)], ['1']])(
    'the ids %j are refused',
    async (ids) => {
      expect(await ask(ids)).toMatchObject({ success: false })
      expect(await audited()).toEqual([])
    },
  )

  test('a recent sign-in is required', async () => {
    clock.advance(12 * HOUR_MS + 1)
    expect(await ask([id])).toMatchObject({ success: false, code: 'recent_sign_in_needed' })
  })
})

async function byScript(path: string, body?: unknown) {
  const authorization = await owner.call(routes.user.resetAccessToken)
  const response = await fetch(gateway.address + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })
  const answer: unknown = await response.json()
  return answer
}
describe('a script with an access token', () => {
  const paths: readonly [string, () => [string, unknown?]][] = [
    ['one key', () => [`/api/token/${id}/key`]],
    ['several keys', () => ['/api/token/batch/keys', { ids: [id] }]],
  ]

  test.each(paths)('a script is refused %s unless the site allows it', async (_name, call) => {
    expect(await byScript(...call())).toMatchObject({ success: false, code: 'recent_sign_in_needed' })
    await setOption('token_setting.reveal_by_access_token', 'true')
    expect(JSON.stringify(await byScript(...call()))).toContain(key)
    await setOption('token_setting.reveal_by_access_token', 'false')
    expect(await byScript(...call())).toMatchObject({ success: false })
  })

  test('a script cannot change the settings that allow it', async () => {
    const authorization = await gateway.root.call(routes.user.resetAccessToken)
    for (const name of ['token_setting.reveal_by_access_token', 'token_setting.show_keys_to_old_consoles']) {
      const response = await fetch(`${gateway.address}/api/option`, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ key: name, value: 'true' }),
      })
      expect(await response.json()).toMatchObject({ success: false, code: 'recent_sign_in_needed' })
    }
  })
})
