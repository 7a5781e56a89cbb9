import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ROOT, type TestServer, startTestServer } from '../harness.ts'
import { openScriptedUpstream, type ScriptedUpstream, sendJson } from '../relay/upstream.ts'
import { type OldConsole, signedIn } from './old-console.ts'

const KEY = 'sk-0123456789abcdefghij'
const OTHER = 'sk-other-0123456789abcd'
const NEW = 'sk-new-0123456789abcdef'

let gateway: TestServer
let upstream: ScriptedUpstream
let stranger: ScriptedUpstream
let root: OldConsole
let id: number

const list = (models: readonly string[]) => ({ object: 'list', data: models.map((model) => ({ id: model })) })

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  upstream = await openScriptedUpstream((response) => sendJson(response, 200, list(['gpt-4o', 'o1'])))
  stranger = await openScriptedUpstream((response) => sendJson(response, 200, list(['stolen'])))
  root = await signedIn(gateway, ROOT)
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
  await stranger.close()
})

beforeEach(async () => {
  await gateway.server.store.db.deleteFrom('channels').execute()
  ;({ id } = await gateway.root.call(routes.channel.create, {
    body: { type: 1, name: 'up', key: `${KEY}\n${OTHER}`, models: 'gpt-4o', base_url: upstream.url },
  }))
})

const choose = (body: object) => root.json('POST', '/api/channel/fetch_models', { type: 1, key: '', ...body })
const edit = (body: object) => root.json('PUT', '/api/channel/', { id, type: 1, ...body })
async function keys() {
  const { key } = await gateway.root.call(routes.channel.reveal, { params: { id } })
  return key.split('\n')
}

describe('fetching models in the edit form, which has no key', () => {
  test('the models are fetched with the stored key from the same address', async () => {
    for (const base_url of [upstream.url, `${upstream.url}/`])
      expect(await choose({ base_url })).toMatchObject({ success: true, data: ['gpt-4o', 'o1'] })
    expect(upstream.received.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  test('the stored key is sent to no other address, and other values of the form are ignored', async () => {
    expect(await choose({ base_url: stranger.url })).toMatchObject({
      success: false,
      code: 'channel_key_missing',
    })
    expect(await choose({ base_url: upstream.url, type: 14 })).toMatchObject({ code: 'channel_key_missing' })
    const setting = JSON.stringify({ proxy: stranger.url })
    expect(await choose({ base_url: upstream.url, setting, other: stranger.url })).toMatchObject({
      data: ['gpt-4o', 'o1'],
    })
    expect(stranger.received).toEqual([])
  })

  test('an enabled channel is preferred to a disabled one', async () => {
    const body = { type: 1, name: 'newer', key: OTHER, models: 'gpt-4o', base_url: upstream.url }
    await gateway.root.call(routes.channel.create, { body })
    await gateway.root.call(routes.channel.update, { body: { id, status: 2 } })
    await choose({ base_url: upstream.url })
    expect(upstream.received.at(-1)?.headers.authorization).toBe(`Bearer ${OTHER}`)
  })

  test('a key entered in the form is used', async () => {
    await choose({ base_url: stranger.url, key: 'sk-typed-0123456789' })
    expect(stranger.received.at(-1)?.headers.authorization).toBe('Bearer sk-typed-0123456789')
  })
})

describe('a channel with several keys', () => {
  test('the channel is returned without its keys', async () => {
    expect(await root.json('GET', `/api/channel/${id}`)).toMatchObject({ data: { key: '', key_count: 2 } })
  })

  test('entering one key in the form does not replace the stored keys without a key_mode', async () => {
    expect(await edit({ key: NEW, name: 'renamed' })).toMatchObject({
      success: false,
      code: 'channel_key_mode_needed',
    })
    expect(await keys()).toEqual([KEY, OTHER])
    expect(await root.json('GET', `/api/channel/${id}`)).toMatchObject({ data: { name: 'up' } })
  })

  test.each([
    ['append', [KEY, OTHER, NEW]],
    ['replace', [NEW]],
  ])('the entered key is applied according to key_mode %s', async (key_mode, expected) => {
    expect(await edit({ key: NEW, key_mode })).toMatchObject({ success: true })
    expect(await keys()).toEqual(expected)
  })

  test('an empty key keeps the stored ones, and the same number of keys replaces them without a key_mode', async () => {
    expect(await edit({ key: '', key_mode: '', name: 'renamed' })).toMatchObject({ success: true })
    expect(await keys()).toEqual([KEY, OTHER])
    expect(await edit({ key: `${KEY}\n${NEW}` })).toMatchObject({ success: true })
    expect(await keys()).toEqual([KEY, NEW])
  })

  test('appending a key does not allow moving the channel with its stored keys', async () => {
    const admin = await gateway.user({ role: 10 })
    const body = { id, key: NEW, key_mode: 'append', base_url: stranger.url }
    await expect(
      admin.call(routes.channel.update, { body: { ...body, key_mode: 'append' } }),
    ).rejects.toThrow()
    expect(await keys()).toEqual([KEY, OTHER])
  })

  test('an unknown key_mode is refused', async () => {
    expect(await edit({ key: NEW, key_mode: 'merge' })).toMatchObject({
      success: false,
      code: 'input_invalid',
    })
  })
})
