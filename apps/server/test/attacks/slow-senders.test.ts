import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { CHAT, waitFor } from '../relay/send.ts'
import { openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'
import { chosen, reportAttacks } from './index.ts'

/**
 * Senders that start a body and never finish it may hold at most the memory of what they sent, and release it
 * when they disconnect.
 */

const KIB = 1024
const MIB = 1024 * KIB
/** Memory limit for bodies of all accounts without a balance together. */
const WITHOUT_BALANCE = 4 * MIB

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearers: Readonly<Record<string, string>>
const sockets: Socket[] = []
let count = 0

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url)
  const quotas = { 'no balance': 0n, cents: 5_000n, plenty: 1_000_000_000n }
  const entries = Object.entries(quotas).map(
    async ([name, quota]) => [name, await harness.addCaller({ quota })] as const,
  )
  bearers = Object.fromEntries((await Promise.all(entries)).map(([name, { bearer }]) => [name, bearer]))
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await waitFor(() => harness.relay.bodyBytes === 0 && harness.relay.inFlight === 0)
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})
afterAll(async () => {
  reportAttacks({ kind: 'slow senders', count })
  await harness.close()
  await upstream.close()
})

interface Way {
  readonly name: string
  readonly headers: string
  /** The bytes that are sent before the sender stalls, and their size after decompression. */
  readonly start: Buffer
  readonly inflated: number
  readonly path?: string
}

const text = (bytes: number) => Buffer.from(`{"model":"gpt-4o","x":"${'a'.repeat(bytes)}`)
const form = (bytes: number) =>
  Buffer.from(`--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${'a'.repeat(bytes)}`)

function chunked(bytes: Buffer, size: number): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size)
    chunks.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat(chunks)
}

const LARGE = 'content-length: 30000000\r\n'
const CHUNKED = 'transfer-encoding: chunked\r\n'
const FORM = 'content-type: multipart/form-data; boundary=x\r\n'
const packed = gzipSync(text(20 * MIB))

const ways: readonly Way[] = [
  { name: 'nothing of a large body', headers: LARGE, start: Buffer.alloc(0), inflated: 0 },
  { name: 'a byte of a large body', headers: LARGE, start: Buffer.from('{'), inflated: 1 },
  { name: 'half a MiB of a large body', headers: LARGE, start: text(512 * KIB), inflated: 513 * KIB },
  { name: 'three MiB of a large body', headers: LARGE, start: text(3 * MIB), inflated: 3 * MIB + KIB },
  { name: 'chunks of one byte', headers: CHUNKED, start: chunked(text(20 * KIB), 1), inflated: 21 * KIB },
  {
    name: 'chunks of a hundred bytes',
    headers: CHUNKED,
    start: chunked(text(512 * KIB), 100),
    inflated: 513 * KIB,
  },
  {
    name: 'a small packed body that grows',
    headers: `${CHUNKED}content-encoding: gzip\r\n`,
    start: chunked(packed.subarray(0, packed.length - 8), 1_000),
    inflated: 20 * MIB + KIB,
  },
  {
    name: 'a form',
    headers: LARGE + FORM,
    start: form(2 * MIB),
    inflated: 2 * MIB + KIB,
    path: '/v1/audio/transcriptions',
  },
  { name: 'a task', headers: LARGE, start: text(2 * MIB), inflated: 2 * MIB + KIB, path: '/v1/videos' },
  {
    name: 'a form of a task',
    headers: LARGE + FORM,
    start: form(2 * MIB),
    inflated: 2 * MIB + KIB,
    path: '/v1/videos',
  },
  {
    name: 'a count of tokens',
    headers: LARGE,
    start: text(2 * MIB),
    inflated: 2 * MIB + KIB,
    path: '/v1/messages/count_tokens',
  },
]

async function begin(
  { headers, start, path = '/v1/chat/completions' }: Way,
  bearer: string,
): Promise<Socket> {
  const socket = connect(harness.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${bearer}\r\n${headers}\r\n`)
  socket.write(start)
  return socket
}

const cases = ['no balance', 'cents', 'plenty'].flatMap((account) => ways.map((way) => ({ account, way })))

test.each(chosen(cases, 3).map(({ account, way }) => [account, way.name, way] as const))(
  'an account with %s that sends %s and then stalls stays within its body budget',
  async (account, _name, way) => {
    const bearer = bearers[account] ?? ''
    for (let each = 0; each < 3; each++) await begin(way, bearer)
    // There is no event to wait for, so the limit is checked repeatedly: refused bodies must hold nothing,
    // accepted ones at most what arrived.
    for (let turns = 0; turns < 20; turns++) {
      await sleep(10)
      const most = account === 'no balance' ? Math.min(WITHOUT_BALANCE, 3 * way.inflated) : 3 * way.inflated
      expect(harness.relay.bodyBytes).toBeLessThanOrEqual(most)
    }
    expect((await harness.send({ bearer: bearers['plenty'] ?? '', body: CHAT })).status).toBe(200)
    count++
  },
)

test('a hundred stalled senders of an account without a balance stay within their shared limit', async () => {
  const bearer = bearers['no balance'] ?? ''
  const [way] = ways.filter(({ name }) => name.startsWith('three MiB'))
  if (way !== undefined) await Promise.all(Array.from({ length: 100 }, () => begin(way, bearer)))
  for (let turns = 0; turns < 30; turns++) {
    await sleep(10)
    expect(harness.relay.bodyBytes).toBeLessThanOrEqual(100 * 64 * KIB + WITHOUT_BALANCE)
  }
  count++
})

test('a task from an account without a balance is refused before its body has arrived', async () => {
  const [way] = ways.filter(({ name }) => name === 'a task')
  expect(way).toBeDefined()
  if (way === undefined) return
  const socket = await begin(way, bearers['no balance'] ?? '')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 403 /)
  count++
})
