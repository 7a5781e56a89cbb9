import { createServer, type ServerResponse } from 'node:http'
import { invariant } from '@tollgate/kit/invariant'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { messageWith } from './messages-upstream.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** Images and files that callers pass as URLs, for upstreams that cannot fetch them. */

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let harness: RelayHarness
let google: ScriptedUpstream
let bedrock: ScriptedUpstream
let site: { url: string; asked: string[]; close: () => void }

beforeAll(async () => {
  harness = await openRelayHarness({ limits: { mediaBytesMax: 100_000 } })
  google = await openScriptedUpstream((response) =>
    sendJson(response, 200, {
      candidates: [{ content: { role: 'model', parts: [{ text: 'a cat' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 },
    }),
  )
  bedrock = await openScriptedUpstream(messageWith())
  site = await openSite()
  await harness.addChannel(google.url, { type: 24, models: 'gemini-2.5-flash' })
  await harness.addChannel(bedrock.url, {
    type: 33,
    models: 'claude-haiku-4-5-20251001',
    key: 'AKIDEXAMPLE|secret|us-east-1',
  })
})
afterAll(async () => {
  site.close()
  await harness.close()
  await google.close()
  await bedrock.close()
})
beforeEach(() => {
  site.asked.length = 0
})

const pages: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/cat.png': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(PNG),
  '/notes.txt': (response) =>
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('hello'),
  '/moved': (response) => response.writeHead(302, { location: '/cat.png' }).end(),
  '/inside': (response) => response.writeHead(302, { location: 'http://10.1.2.3/cat.png' }).end(),
  '/round': (response) => response.writeHead(302, { location: '/round' }).end(),
  '/page': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<!doctype html><p>hi'),
  '/huge': (response) => response.writeHead(200).end(Buffer.concat([PNG, Buffer.alloc(200_000)])),
}

async function openSite() {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const page = pages[url]
    if (page === undefined) response.writeHead(404).end()
    else page(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the site listens on a port')
  return { url: `http://127.0.0.1:${address.port}`, asked, close: () => void server.close() }
}

const picture = (url: string) => ({ type: 'image_url', image_url: { url } })
const chat = (...content: unknown[]) => ({ model: 'gemini-2.5-flash', messages: [{ role: 'user', content }] })

test('URLs are fetched once, redirects included, and sent with the media type of their bytes', async () => {
  const { bearer } = await harness.addCaller()
  const body = chat(
    picture(`${site.url}/moved`),
    picture(`${site.url}/cat.png`),
    picture(`${site.url}/moved`),
  )
  expect((await harness.send({ bearer, body })).status).toBe(200)
  expect(site.asked.toSorted()).toEqual(['/cat.png', '/cat.png', '/moved'])
  const inlineData = { mimeType: 'image/png', data: PNG.toString('base64') }
  expect(google.received.at(-1)?.body['contents']).toMatchObject([
    { parts: [{ inlineData }, { inlineData }, { inlineData }] },
  ])
})

test('a text file by URL is fetched for upstreams that accept documents', async () => {
  const { bearer } = await harness.addCaller()
  const input = [{ role: 'user', content: [{ type: 'input_file', file_url: `${site.url}/notes.txt` }] }]
  const { status } = await harness.send({
    path: '/v1/responses',
    bearer,
    body: { model: 'gemini-2.5-flash', input },
  })
  expect(status).toBe(200)
  expect(google.received.at(-1)?.text).toContain(Buffer.from('hello').toString('base64'))
})

test('URLs are also fetched for an upstream of the caller’s own dialect that cannot fetch them', async () => {
  const { bearer } = await harness.addCaller()
  const source = { type: 'url', url: `${site.url}/cat.png` }
  const body = {
    model: 'claude-haiku-4-5-20251001',
    max_tokens: 10,
    messages: [{ role: 'user', content: [{ type: 'image', source }] }],
  }
  expect((await harness.send({ path: '/v1/messages', bearer, body })).status).toBe(200)
  expect(bedrock.received.at(-1)?.body['messages']).toMatchObject([
    { content: [{ source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') } }] },
  ])
})

describe('media that cannot be fetched are refused with a clear error and cost nothing', () => {
  test.each([
    ['an address into a private network', 'http://10.1.2.3/cat.png', 'media_refused'],
    ['a redirect into a private network', '/inside', 'media_refused'],
    ['an image that is not one', '/page', 'media_unknown'],
    ['a text where an image was promised', '/notes.txt', 'media_wrong_kind'],
    ['nothing there', '/nowhere', 'media_unreachable'],
    ['a redirect without end', '/round', 'media_unreachable'],
    ['a file that is too large', '/huge', 'media_too_large'],
    ['an address of another kind', 'ftp://example.com/cat.png', 'media_unreachable'],
  ])('%s is refused', async (_what, address, code) => {
    const { bearer, userId } = await harness.addCaller()
    const sent = google.received.length
    const url = address.startsWith('/') ? site.url + address : address
    const { status, error } = await harness.send({ bearer, body: chat(picture(url)) })
    expect([status, error['code']]).toEqual([400, code])
    expect(google.received).toHaveLength(sent)
    await harness.quiet()
    expect(await harness.balance(userId)).toMatchObject({ used: 0n, reserved: 0n })
    expect(harness.disabled).toEqual([])
  })

  test('too many URLs are refused', async () => {
    const { bearer } = await harness.addCaller()
    const many = Array.from({ length: 17 }, (_, index) => picture(`${site.url}/cat.png?${index}`))
    expect((await harness.send({ bearer, body: chat(...many) })).error['code']).toBe('media_too_many')
    expect(site.asked).toEqual([])
  })
})
