import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import Anthropic from '@anthropic-ai/sdk'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { messageWith } from '../relay/messages-upstream.ts'
import { CHAT } from '../relay/send.ts'
import { answerWith, type ScriptedUpstream } from '../relay/upstream.ts'
import { openClientGateway, type ClientGateway } from './gateway.ts'

/** How requests arrive: API keys, content encodings, and WebSocket upgrade requests. */

const CLAUDE = 'claude-haiku-4-5-20251001'

let gateway: ClientGateway
let chat: ScriptedUpstream

beforeAll(async () => {
  gateway = await openClientGateway()
  chat = await gateway.addVendor({ type: 1, models: 'gpt-4o', respond: answerWith() })
  await gateway.addVendor({ type: 14, models: CLAUDE, respond: messageWith() })
})
afterAll(() => gateway.close())

describe('API keys', () => {
  test.each(['/v1/messages/count_tokens', '/hf/v1/messages/count_tokens'])(
    'x-api-key is accepted on %s',
    async (path) => {
      const body = { model: CLAUDE, messages: [{ role: 'user', content: 'hi' }] }
      const answer = await gateway.send({ path, headers: { 'x-api-key': gateway.key }, body })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.json['input_tokens']).toBeGreaterThan(0)
      const wrong = await gateway.send({ path, headers: { 'x-api-key': 'sk-nobody' }, body })
      expect(wrong).toMatchObject({ status: 401, error: { type: 'authentication_error' } })
    },
  )

  test('the official client counts tokens with only an API key', async () => {
    const client = new Anthropic({
      apiKey: gateway.key,
      authToken: null,
      baseURL: gateway.address,
      maxRetries: 0,
    })
    const counted = await client.messages.countTokens({
      model: CLAUDE,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(counted.input_tokens).toBeGreaterThan(0)
  })
})

const PLAIN = Buffer.from(JSON.stringify(CHAT))

describe('content encodings of a body', () => {
  test.each([
    ['zstd', zstdCompressSync(PLAIN)],
    ['gzip', gzipSync(PLAIN)],
    ['deflate', deflateSync(PLAIN)],
    ['br', brotliCompressSync(PLAIN)],
    ['gzip, zstd', zstdCompressSync(gzipSync(PLAIN))],
    ['br, identity, gzip', gzipSync(brotliCompressSync(PLAIN))],
  ])('a body compressed with %s reaches the vendor uncompressed', async (coding, body) => {
    const answer = await gateway.send({
      bearer: gateway.key,
      headers: { 'content-encoding': coding },
      body,
    })
    expect(answer.status, answer.text).toBe(200)
    expect(chat.received.at(-1)?.text).toBe(PLAIN.toString())
    expect(chat.received.at(-1)?.headers['content-encoding']).toBeUndefined()
  })

  const callers = [
    ['/v1/chat/completions', { error: { code: 'body_coding_unsupported', type: 'tollgate_error' } }],
    ['/v1/responses', { error: { code: 'body_coding_unsupported', type: 'tollgate_error' } }],
    ['/v1/messages', { type: 'error', error: { type: 'invalid_request_error' } }],
    ['/v1/messages/count_tokens', { type: 'error', error: { type: 'invalid_request_error' } }],
    ['/v1beta/models/gpt-4o:generateContent', { error: { code: 415, status: 'INVALID_ARGUMENT' } }],
  ] as const

  test.each(callers)(
    'an unknown content encoding is refused with 415 at %s, in the format of its dialect',
    async (path, shape) => {
      const asked = chat.received.length
      const answer = await gateway.send({
        path,
        bearer: gateway.key,
        headers: { 'content-encoding': 'snappy' },
        body: PLAIN,
      })
      expect(answer.status).toBe(415)
      expect(answer.json).toMatchObject(shape)
      expect(answer.text).toContain('snappy')
      expect(answer.headers['accept-encoding']).toBe('zstd, br, gzip, deflate')
      expect(chat.received).toHaveLength(asked)
    },
  )

  test('a broken zstd body is refused with 400', async () => {
    const headers = { 'content-encoding': 'zstd' }
    for (const body of [PLAIN, zstdCompressSync(PLAIN).subarray(0, 20)]) {
      const answer = await gateway.send({ bearer: gateway.key, headers, body })
      expect(answer).toMatchObject({ status: 400, error: { code: 'body_unreadable' } })
    }
  })
})

describe('Responses over WebSocket, switched off', () => {
  beforeAll(async () => {
    const key = 'responses_socket_setting.connections_per_token'
    await gateway.server.root.call(routes.option.update, { body: { key, value: '0' } })
  })

  test('an upgrade request gets 426, so that the client falls back to HTTP at once', async () => {
    const socket = new WebSocket(`${gateway.address.replace('http', 'ws')}/v1/responses`, {
      headers: { authorization: `Bearer ${gateway.key}`, 'openai-beta': 'responses_websockets=2026-02-06' },
    })
    const [error] = await once(socket, 'error')
    expect(String(error)).toContain('426')
  })

  test('the 426 response gives the reason in the format of the caller, and the connection is closed', async () => {
    const answer = await raw(
      'GET /v1/responses HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
        'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
    expect(answer).toMatch(/\r\nupgrade: HTTP\/1\.1\r\n/i)
    expect(answer).toContain('"code":"websocket_unsupported"')
  })

  test('a handshake whose Upgrade header a proxy removed gets 426 too', async () => {
    const headers = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' }
    const answer = await gateway.send({ method: 'GET', path: '/v1/responses?x=1', headers })
    expect(answer).toMatchObject({ status: 426, error: { code: 'websocket_unsupported' } })
  })

  test('an ordinary GET gets 405 with the allowed method', async () => {
    const answer = await gateway.send({ method: 'GET', path: '/v1/responses', bearer: gateway.key })
    expect(answer).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
      error: { code: 'method_not_allowed' },
    })
  })
})

function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(gateway.address)
  const socket = connect(Number(port), hostname)
  socket.write(request)
  return text(socket)
}
