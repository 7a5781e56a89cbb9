import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'

/**
 * Requests and responses as consoles and scripts written for new-api see them: spellings, envelopes and
 * access.
 */

let gateway: TestServer
let user: Visitor

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  user = await gateway.user()
})
afterAll(() => gateway.close())

async function send(
  visitor: Visitor,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await visitor.fetch(path, {
    method,
    headers: { 'content-type': 'application/json', 'accept-language': 'zh-CN' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  return typeof answer === 'object' && answer !== null ? { ...answer } : {}
}

describe('tokens over HTTP', () => {
  test('a token can be created, listed, disabled and deleted with the spellings of older consoles', async () => {
    const body = {
      name: 'laptop',
      remain_quota: 500_000,
      expired_time: -1,
      unlimited_quota: false,
      group: '',
    }
    expect(await send(user, 'POST', '/api/token/', body)).toMatchObject({ success: true, message: '' })
    const list = await send(user, 'GET', '/api/token/?p=0&size=100')
    expect(list).toMatchObject({ success: true, data: [{ name: 'laptop', remain_quota: 500_000 }], total: 1 })
    const [{ id }] = firstOf(list['data'])
    const off = await send(user, 'PUT', '/api/token/?status_only=true', { id, status: 2 })
    expect(off).toMatchObject({ success: true, data: { id, status: 2 } })
    expect(await send(user, 'DELETE', `/api/token/${id}/`)).toMatchObject({ success: true })
    expect(await send(user, 'GET', `/api/token/${id}`)).toEqual({
      success: false,
      message: '记录不存在',
      code: 'not_found',
    })
  })

  test('a name that is too long is refused with the message of new-api', async () => {
    const refused = await send(user, 'POST', '/api/token/', { name: 'x'.repeat(51) })
    expect(refused).toMatchObject({ success: false, message: expect.stringContaining('令牌名称过长') })
  })

  test('the key is returned at creation and by the reveal route', async () => {
    const made = await user.call(routes.token.create, { body: { name: 'shown' } })
    expect(await user.call(routes.token.reveal, { params: { id: made.id }, body: {} })).toEqual(made)
  })
})

/** The first row of a list. */
function firstOf(data: unknown): [{ id: number }] {
  if (!Array.isArray(data) || typeof data[0]?.id !== 'number') throw new Error('a list with a row')
  return [{ id: data[0].id }]
}

describe('access to routes', () => {
  test.each([
    ['GET', '/api/channel/'],
    ['GET', '/api/channel/search'],
    ['GET', '/api/channel/1'],
    ['POST', '/api/channel/'],
    ['PUT', '/api/channel/'],
    ['DELETE', '/api/channel/1'],
    ['DELETE', '/api/channel/disabled'],
    ['GET', '/api/channel/test/1'],
    ['GET', '/api/channel/fetch_models/1'],
    ['POST', '/api/channel/1/key'],
    ['GET', '/api/group/'],
    ['GET', '/api/log/'],
    ['GET', '/api/log/stat'],
    ['DELETE', '/api/log/?target_timestamp=1'],
    ['POST', '/api/option/rest_model_ratio'],
  ])('an ordinary user may not %s %s', async (method, path) => {
    expect(await send(user, method, path, method === 'GET' ? undefined : {})).toMatchObject({
      success: false,
    })
  })

  test('an admin may not read channel keys, erase the log or reset prices', async () => {
    const admin = await gateway.user({ role: 10 })
    for (const [method, path] of [
      ['POST', '/api/channel/1/key'],
      ['DELETE', '/api/log/?target_timestamp=1'],
      ['POST', '/api/option/rest_model_ratio'],
    ] as const)
      expect(await send(admin, method, path, {})).toMatchObject({ success: false })
  })

  test('everybody may read prices and public groups', async () => {
    const guest = gateway.visitor()
    const prices = await send(guest, 'GET', '/api/pricing')
    expect(prices).toMatchObject({ success: true, data: [], group_ratio: { default: 1 } })
    const groups = await send(guest, 'GET', '/api/user/groups')
    expect(groups).toMatchObject({ data: { default: { ratio: 1, desc: expect.any(String) } } })
  })
})

describe('addresses that an admin gives to the gateway', () => {
  const form = { type: 1, key: 'sk-aimed-0123456789', models: 'gpt-4o' }
  test.each(['http://169.254.169.254', 'http://10.0.0.1:8080', 'http://[::1]:3306', 'http://2130706689'])(
    'a private address is refused: %s',
    async (baseUrl) => {
      const admin = await gateway.user({ role: 10 })
      const body = { ...form, base_url: baseUrl }
      const asked = await send(admin, 'POST', '/api/channel/fetch_models', body)
      expect(asked).toMatchObject({ success: false, code: 'destination_refused' })
      const { id } = await admin.call(routes.channel.create, { body: { ...body, name: 'aimed' } })
      for (const path of ['fetch_models', 'test', 'update_balance'])
        expect(await send(admin, 'GET', `/api/channel/${path}/${id}`), path).toMatchObject({ success: false })
      await admin.call(routes.channel.remove, { params: { id } })
    },
  )
})

describe('lists over HTTP', () => {
  test.each([
    ['/api/channel/?p=0&page_size=10&id_sort=false&tag_mode=false', []],
    ['/api/channel/search?keyword=&group=null&model=&id_sort=true&tag_mode=true', []],
    ['/api/channel/models_enabled', []],
    ['/api/user/models', []],
    [
      '/api/log/self/?p=1&page_size=10&type=0&token_name=&model_name=&start_timestamp=0&end_timestamp=0&group=',
      {},
    ],
    ['/api/log/?p=1&page_size=10&type=0&username=&token_name=&channel=&group=', { page: 1, page_size: 10 }],
    ['/api/log/stat?type=0&username=&start_timestamp=abc', { quota: 0, rpm: 0, tpm: 0 }],
  ])('the list %s is returned', async (path, data) => {
    expect(await send(gateway.root, 'GET', path)).toMatchObject({ success: true, data })
  })

  test('an unknown channel is reported in the language of the caller', async () => {
    const gone = await send(gateway.root, 'GET', '/api/channel/test/404')
    expect(gone).toEqual({ success: false, message: '记录不存在', code: 'not_found' })
  })
})
