import { randomBytes } from 'node:crypto'
import { createServer, request as httpRequest, type OutgoingHttpHeaders, type Server } from 'node:http'
import {
  brotliCompressSync,
  constants,
  createZstdCompress,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { invariant } from '@tollgate/kit/invariant'
import { Problem } from '@tollgate/problems/problem'
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

/** The server responds with a description of the body it read, or with the code of the Problem. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const lease = budget.lease(1)
    response.once('close', () => lease.end())
    readBody(request, { bytesMax: LIMIT, lease }).then(
      (body) => response.end(`${body.length} ${body.subarray(0, 5).toString()} ${budget.used}`),
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

test('a plain body is read in one piece', async () => {
  expect(await send(text)).toBe('11 hello 11')
})

test.each([
  ['gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  [' GZIP ', gzipSync(text)],
  ['gzip', Buffer.concat([gzipSync(text.subarray(0, 4)), gzipSync(text.subarray(4))])],
  ['identity', text],
  ['gzip, zstd', zstdCompressSync(gzipSync(text))],
  ['identity, br , identity,, deflate', deflateSync(brotliCompressSync(text))],
  ['zstd,gzip,br', brotliCompressSync(gzipSync(zstdCompressSync(text)))],
])('a body compressed with %s is inflated', async (encoding, packed) => {
  expect(await send(packed, { 'content-encoding': encoding })).toBe('11 hello 11')
})

test('a body of exactly the limit is accepted, and one byte more is refused', async () => {
  expect(await send(Buffer.alloc(LIMIT, 'a'))).toBe('10000 aaaaa 10000')
  expect(await send(Buffer.alloc(LIMIT + 1, 'a'))).toBe('body_too_large')
  expect(await send(Buffer.alloc(LIMIT + 1, 'a'), { 'transfer-encoding': 'chunked' })).toBe('body_too_large')
})

const huge = Buffer.alloc(50_000_000)
/** The best compression of so many bytes takes seconds. */
const brotliFast = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })
const hugeGzip = gzipSync(huge)
const hugeZstd = zstdCompressSync(huge)

test.each([
  ['gzip', hugeGzip],
  ['deflate', deflateSync(huge)],
  ['br', brotliFast(huge)],
  ['zstd', hugeZstd],
  ['zstd, gzip', gzipSync(hugeZstd)],
  ['gzip, zstd, br', brotliCompressSync(zstdCompressSync(hugeGzip))],
])('a small %s body that inflates to a huge one is refused', async (encoding, packed) => {
  expect(await send(packed, { 'content-encoding': encoding })).toBe('body_too_large')
})

/** A complete gzip file with no content. Many of them in a row still inflate to nothing. */
const nothing = gzipSync(Buffer.alloc(0))

test('bytes between two nested codings count as well, even if they inflate to nothing', async () => {
  const many = Buffer.concat(Array.from({ length: 2_000 }, () => nothing))
  for (const [coding, packed] of [
    ['gzip, zstd', zstdCompressSync(many)],
    ['gzip, br', brotliCompressSync(many)],
  ] as const)
    expect(await send(packed, { 'content-encoding': coding })).toBe('body_too_large')
  const headers = { 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' }
  expect(await send(many, headers)).toBe('body_too_large')
})

test('bytes between nested codings are charged while the body arrives, and returned afterwards', async () => {
  const packed = brotliCompressSync(gzipSync(randomBytes(4_000)))
  expect(await send(packed, { 'content-encoding': 'gzip, br' })).toMatch(/^4000 .* 4000$/s)
})

test('a zstd body that needs a window of more than 8 MiB is refused before the window is allocated', async () => {
  const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 }
  const stream = createZstdCompress({ params })
  const packed = new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => resolve(Buffer.concat(chunks)))
  })
  stream.end(text)
  expect(await send(await packed, { 'content-encoding': 'zstd' })).toBe('body_unreadable')
})

test.each([
  ['gzip', text],
  ['gzip', gzipSync(text).subarray(0, 12)],
  ['zstd', text],
  ['zstd', zstdCompressSync(text).subarray(0, 12)],
  ['gzip, zstd', gzipSync(zstdCompressSync(text))],
  ['zstd', Buffer.concat([zstdCompressSync(text), zstdCompressSync(text)])],
  ['zstd', Buffer.concat([zstdCompressSync(text), text])],
  ['deflate', Buffer.concat([deflateSync(text), text])],
  ['br', Buffer.concat([brotliCompressSync(text), text])],
  ['gzip, br', brotliCompressSync(text)],
])('a body that cannot be inflated as %s is refused', async (encoding, body) => {
  expect(await send(body, { 'content-encoding': encoding })).toBe('body_unreadable')
})

test.each(['constructor', 'compress', 'snappy, gzip', 'gzip, *', 'gzip;q=1', '"gzip"'])(
  'the unknown coding %s is refused',
  async (encoding) => {
    expect(await send(text, { 'content-encoding': encoding })).toBe('body_coding_unsupported')
  },
)

test('a body with ten nested codings is refused unread', async () => {
  const headers = { 'content-encoding': Array.from({ length: 10 }, () => 'gzip').join(', ') }
  expect(await send(text, headers)).toBe('body_codings_too_many')
})
