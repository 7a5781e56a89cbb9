import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:net'
import process from 'node:process'
import { Pool, type Dispatcher } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { destinationPolicy } from '../destination-policy.ts'
import { guardedConnector, systemResolve } from '../guarded-connector.ts'
import { OriginClient } from './origin-client.ts'
import { readsIntoSharedBuffer } from './shared-buffer.ts'

const CASES = Number(process.env['DAMAGED_RESPONSES'] ?? 1_000)
const ALIKE_MIN = CASES / 5
const REFUSED_MIN = CASES / 5
const SEEDS = [
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"ok":true}',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\n\r\n',
  'HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\nconnection: close\r\n\r\nslow down',
  // Undici refuses 100.
  'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nkeep-alive: timeout=5\r\ncontent-length: 2\r\n\r\nok',
  'HTTP/1.0 500 Bad\r\ncontent-length: 3\r\n\r\nbad',
]
/** Put in the place of some bytes. */
const TOKENS = [
  '\r\n',
  '\n',
  '\r',
  ' ',
  '\t',
  ':',
  '0',
  '1',
  '5',
  'f',
  ';',
  ',',
  '\0',
  '\x7f',
  '\xff',
  'HTTP/1.1 ',
  'content-length: 5\r\n',
  'Content-Length: 0\r\n',
  'transfer-encoding: chunked\r\n',
  'connection: close\r\n',
  'x-a : b\r\n',
  ' folded\r\n',
  '\r\n\r\n',
  '0\r\n\r\n',
  '204 ',
  '304 ',
  '101 ',
]

/** A linear congruential generator, so that a failing case can be run again. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function changed(number: number): Buffer {
  const below = numbers(number)
  let text = SEEDS[number % SEEDS.length] ?? ''
  for (let changes = 1 + below(3); changes > 0; changes--) {
    const at = below(text.length + 1)
    const token = below(4) === 0 ? '' : (TOKENS[below(TOKENS.length)] ?? '')
    text = text.slice(0, at) + token + text.slice(at + below(3))
  }
  return Buffer.from(text, 'latin1')
}

/** Sends the response whose number the path names, and closes the connection. */
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => socket.end(changed(Number(/\/(\d+)/.exec(bytes.toString('latin1'))?.[1]))))
})
let origin = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  origin = `http://127.0.0.1:${address.port}`
})
afterAll(() => server.close())

interface Outcome {
  readonly status?: number
  readonly headers?: unknown
  readonly body?: string
  readonly error?: string
}

function outcomeOf(dispatcher: Dispatcher, path: string): Promise<Outcome> {
  return new Promise((resolve) => {
    let head: Pick<Outcome, 'status' | 'headers'> = {}
    let body = ''
    dispatcher.dispatch(
      { origin, path, method: 'GET', headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, status, headers) => {
          if (status >= 200) head = { status, headers: trimmed(headers) }
        },
        onResponseData: (_, bytes) => {
          body += bytes.toString('latin1')
        },
        onResponseEnd: () => resolve({ ...head, body }),
        onResponseError: (_, error) => resolve({ error: 'code' in error ? String(error.code) : error.name }),
      },
    )
  })
}

/** Undici keeps spaces at the end of a value. */
function trimmed(headers: IncomingHttpHeaders): unknown {
  return Object.entries(headers).map(([name, value]) => [
    name,
    [value].flat().map((one) => String(one).trim()),
  ])
}

/** Undici refuses white space in chunk extensions and, where a body is compared with it, after a length. */
const WHITE_SPACE = /\n[0-9a-f]+;[^\r\n]*[ \t]|content-length: \d+[ \t]+\r\n/i

test('a damaged response that is accepted reads as undici reads it', async () => {
  const connect = guardedConnector({
    policy: destinationPolicy(['127.0.0.0/8']),
    resolve: systemResolve,
    connectTimeoutMs: 10_000,
    onread: readsIntoSharedBuffer,
  })
  const limits = { connectionsMax: 1, keepAliveMs: 45_000, unreadMsMin: 1, headBytesMax: 16_384 }
  let alike = 0
  let refused = 0
  let stricter = 0
  for (let number = 0; number < CASES; number++) {
    const undici = new Pool(origin, { connections: 1 })
    const client = new OriginClient({ ...limits, origin, connect, openGeneral: () => undici })
    const [ours, theirs] = await Promise.all([
      outcomeOf(client, `/${number}`),
      outcomeOf(undici, `/${number}`),
    ])
    await client.destroy()
    await undici.destroy()
    const text = changed(number).toString('latin1')
    if (ours.error !== undefined) {
      refused++
      if (theirs.error === undefined) stricter++
    } else if (theirs.error === undefined || !WHITE_SPACE.test(text)) {
      alike++
      expect(ours, `response ${number}: ${JSON.stringify(text)}`).toEqual(theirs)
    }
  }
  process.stdout.write(
    `damaged responses: ${CASES}, ${alike} accepted alike, ${refused} refused, ${stricter} of them by this client alone\n`,
  )
  expect(alike).toBeGreaterThanOrEqual(ALIKE_MIN)
  expect(refused).toBeGreaterThanOrEqual(REFUSED_MIN)
}, 60_000)
