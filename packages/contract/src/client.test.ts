import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiError, createClient } from './client.ts'
import { defineRoute, nothing } from './route.ts'

const route = defineRoute({
  method: 'PUT',
  path: '/api/thing/:id',
  access: 'user',
  owner: 'self',
  rate: 'api',
  bodyBytesMax: 1024,
  changesState: true,
  isBillable: false,
  signIn: 'any',
  summary: 'A thing',
  params: z.object({ id: z.int() }),
  query: z.object({ p: z.int().optional(), keyword: z.string().optional() }),
  body: z.strictObject({ name: z.string() }),
  data: z.object({ id: z.int() }),
})
const bare = defineRoute({
  ...route,
  method: 'GET',
  path: '/api/bare',
  params: nothing,
  query: nothing,
  body: nothing,
})

function clientAnswering(answer: () => Response | Promise<Response>) {
  const fetch = vi.fn((_address: string, _init?: RequestInit) => Promise.resolve(answer()))
  const onUnauthorized = vi.fn()
  const client = createClient({
    baseUrl: 'http://gate',
    headers: () => ({ 'Tollgate-User': '7' }),
    onUnauthorized,
    fetch: (address, init) => fetch(addressText(address), init),
  })
  return { client, fetch, onUnauthorized }
}

function addressText(address: string | URL | Request): string {
  return typeof address === 'string' ? address : 'another kind of address'
}

test('fills in the path, leaves out absent query values, and sends the user header and the body', async () => {
  const { client, fetch } = clientAnswering(() =>
    Response.json({ success: true, message: '', data: { id: 7 } }),
  )
  const input = { params: { id: 7 }, query: { keyword: 'a b', p: undefined }, body: { name: 'n' } }
  expect(await client.call(route, input)).toEqual({ id: 7 })
  const [address, init] = fetch.mock.calls[0] ?? []
  expect(address).toBe('http://gate/api/thing/7?keyword=a+b')
  expect(init).toMatchObject({
    method: 'PUT',
    body: '{"name":"n"}',
    headers: { 'Tollgate-User': '7', 'content-type': 'application/json' },
  })
})

test('a route without input is called without arguments', async () => {
  const { client, fetch } = clientAnswering(() => Response.json({ success: true, data: null, more: 1 }))
  expect(await client.callWhole(bare)).toEqual({ message: '', data: null, extra: { more: 1 } })
  expect(fetch.mock.calls[0]?.[1]).not.toHaveProperty('body')
})

test.each([
  ['a refusal', () => Response.json({ success: false, message: 'no' }), 'no', 200],
  ['an empty 429', () => new Response('', { status: 429 }), '', 429],
  ['a page instead of JSON', () => new Response('<html>', { status: 502 }), '', 502],
  ['JSON that is no object', () => Response.json([1]), '', 200],
  ['an error of another shape', () => Response.json({ error: { message: 'x' } }, { status: 404 }), '', 404],
])('%s rejects with its message and status', async (_name, answer, message, status) => {
  const { client } = clientAnswering(answer)
  const failure = await client.call(bare).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({ message, status })
})

test('a lost connection rejects with status 0, and a 401 calls onUnauthorized', async () => {
  const lost = clientAnswering(() => Promise.reject(new TypeError('fetch failed')))
  await expect(lost.client.call(bare)).rejects.toMatchObject({ status: 0 })
  const ended = clientAnswering(() => Response.json({ success: false, message: 'who?' }, { status: 401 }))
  await expect(ended.client.call(bare)).rejects.toMatchObject({ status: 401, message: 'who?' })
  expect(ended.onUnauthorized).toHaveBeenCalledOnce()
})

test('a file is returned with its name, while a refusal and a broken download reject', async () => {
  const headers = { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('用户.csv')}` }
  const whole = clientAnswering(() => new Response('a,b', { headers }))
  const { name, content } = await whole.client.callFile(bare)
  expect([name, await content.text()]).toEqual(['用户.csv', 'a,b'])

  const refused = clientAnswering(() =>
    Response.json({ success: false, message: 'no', code: 'role_too_low' }, { status: 403 }),
  )
  await expect(refused.client.callFile(bare)).rejects.toMatchObject({ status: 403, code: 'role_too_low' })

  const broken = new ReadableStream({ pull: (sink) => sink.error(new Error('gone')) })
  const cut = clientAnswering(() => new Response(broken, { headers }))
  await expect(cut.client.callFile(bare)).rejects.toMatchObject({ name: 'ApiError', status: 0 })
})
