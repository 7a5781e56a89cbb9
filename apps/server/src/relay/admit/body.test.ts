import { createServer, request as httpRequest, type OutgoingHttpHeaders, type Server } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { invariant } from '@tollgate/kit/invariant'
import { Problem } from '@tollgate/kit/problem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BodyBudget } from './body-budget.ts'
import { readBody } from './body.ts'

const LIMIT = 10_000

const budget = new BodyBudget({ bodyBytesMax: LIMIT, bodiesBytesMax: 1e8, userBodiesBytesMax: 1e8 })
let server: Server
function origin() {
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the server listens on a port')
  return { port: address.port, host: '127.0.0.1', method: 'POST' }
}

/** Answers with what was read, or with the code of the refusal. */
beforeAll(async () => {
  server = createServer((request, response) => {
    readBody(request, { bytesMax: LIMIT, lease: budget.lease(1) }).then(
      (body) => response.end(`${body.length} ${body.subarray(0, 5).toString()}`),
      (error: unknown) => response.end(error instanceof Problem ? error.code : 'bug'),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

function send(body: Buffer, headers: OutgoingHttpHeaders = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...origin(), headers }, (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
    })
    request.on('error', reject)
    request.end(body)
  })
}

const text = Buffer.from('hello world')

test('a plain body, in one piece', async () => {
  expect(await send(text)).toBe('11 hello')
})

test.each([
  ['gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
  [' GZIP ', gzipSync(text)],
])('a body packed with %s', async (encoding, packed) => {
  expect(await send(packed, { 'content-encoding': encoding })).toBe('11 hello')
})

test('the limit itself is allowed, one byte more is not', async () => {
  expect(await send(Buffer.alloc(LIMIT, 'a'))).toBe('10000 aaaaa')
  expect(await send(Buffer.alloc(LIMIT + 1, 'a'))).toBe('body_too_large')
  expect(await send(Buffer.alloc(LIMIT + 1, 'a'), { 'transfer-encoding': 'chunked' })).toBe('body_too_large')
})

test.each([
  ['gzip', gzipSync(Buffer.alloc(50_000_000))],
  ['deflate', deflateSync(Buffer.alloc(50_000_000))],
  ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
])('a small %s body that unpacks to a huge one is refused', async (encoding, packed) => {
  expect(await send(packed, { 'content-encoding': encoding })).toBe('body_too_large')
})

test.each([
  ['gzip', text],
  ['gzip', gzipSync(text).subarray(0, 12)],
  ['zstd', text],
  ['constructor', text],
])('what cannot be unpacked as %s is refused', async (encoding, body) => {
  expect(await send(body, { 'content-encoding': encoding })).toBe('body_unreadable')
})
