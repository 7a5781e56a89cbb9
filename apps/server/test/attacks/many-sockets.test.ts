import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startProgram, type Program } from '../nodes/program.ts'
import { openRelayHarness } from '../relay/relay-harness.ts'
import { reportAttacks } from './index.ts'

/**
 * A gateway in a process of its own with as many sockets as customers may open: with half a frame each, and idle.
 * What they cost is read from the system.
 */

const isLong = process.env['TOLLGATE_ATTACKS'] === 'long'
const MIB = 1024 * 1024
const HALF_FRAMES = isLong ? 800 : 200
const IDLE = isLong ? 10_000 : 400
const ROUNDS = isLong ? 3 : 1
/** Frames that have not arrived whole may take an eighth of the budget for bodies, 32 MiB. */
const RISE_MAX_MIB = 64
/** The library copies fragments that span chunks, which takes twice as much until the collector runs. */
const FRAGMENTS_MAX_MIB = 160
const OF_TOKEN = 100
const TOKENS_OF_USER = 2
const PATH = '/v1/responses'

let program: Program
let folder: string
let bearers: readonly string[] = []
let count = 0
const ends: Socket[] = []

const canMeasure = existsSync('/proc/self/status')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-sockets-'))
  const sqlitePath = join(folder, 'tollgate.db')
  bearers = await addCallers(sqlitePath)
  program = await startProgram(folder, { SQLITE_PATH: sqlitePath, LOG_LEVEL: 'error' })
})
afterEach(() => {
  for (const socket of ends.splice(0)) socket.destroy()
})
afterAll(async () => {
  reportAttacks({ kind: 'many sockets', count })
  program.child.kill('SIGKILL')
  await program.ended
  rmSync(folder, { recursive: true })
})

/** Users with a balance and two tokens each, for all sockets. */
async function addCallers(sqlitePath: string): Promise<readonly string[]> {
  const harness = await openRelayHarness({ sqlitePath })
  const added: string[] = []
  try {
    while (added.length * OF_TOKEN < Math.max(IDLE, HALF_FRAMES)) {
      const userId = await harness.addUser({ quota: 100_000_000n })
      for (let each = 0; each < TOKENS_OF_USER; each++) added.push((await harness.addToken(userId)).bearer)
    }
  } finally {
    await harness.close()
  }
  return added
}

function readStatus(name: string): number {
  const text = readFileSync(`/proc/${program.child.pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1])
}

const residentMib = () => readStatus('VmRSS') / 1024

/** Processor time of the whole process, in milliseconds. */
function processorMs(): number {
  const fields = readFileSync(`/proc/${program.child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  // Fields 14 and 15 of the whole line, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function openSocket(bearer: string): Promise<Socket> {
  const { hostname, port } = new URL(program.address)
  const socket = connect(Number(port), hostname)
  ends.push(socket)
  socket.on('error', () => undefined)
  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET ${PATH} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${bearer}\r\n` +
      `upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: ${key}\r\nsec-websocket-version: 13\r\n\r\n`,
  )
  const [head] = await once(socket, 'data')
  expect(String(head)).toMatch(/^HTTP\/1.1 101/)
  socket.resume()
  return socket
}

async function openSockets(total: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < total) {
    const first = sockets.length
    const some = Array.from({ length: Math.min(100, total - first) }, (_, each) =>
      openSocket(bearers[Math.floor((first + each) / OF_TOKEN)] ?? expect.fail('a token for each hundred')),
    )
    sockets.push(...(await Promise.all(some)))
  }
  return sockets
}

const isClosed = (socket: Socket) => socket.closed || socket.readableEnded

/** A masked frame, complete if no length is given. */
function buildFrame(first: number, content: Buffer, length = content.length): Buffer {
  const head = Buffer.alloc(14)
  head[0] = first
  head[1] = 0xff
  head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, content])
}

const spaces = (bytes: number) => Buffer.alloc(bytes, 0x20)
const TEXT = 0x81
const FIRST_TEXT = 0x01
const MORE = 0x00
/** A ping of four bytes; the answer may be a view of what arrived. */
const PING = Buffer.from([0x89, 0x84, 0, 0, 0, 0, 1, 2, 3, 4])

interface HalfMessage {
  readonly name: string
  readonly content: Buffer
  readonly riseMax: number
}

/** Half a mebibyte of what should become one. */
const halves: readonly HalfMessage[] = [
  {
    name: 'half a frame of a mebibyte',
    riseMax: RISE_MAX_MIB,
    content: buildFrame(TEXT, spaces(MIB / 2), MIB),
  },
  {
    name: 'eight of sixteen fragments',
    riseMax: FRAGMENTS_MAX_MIB,
    content: Buffer.concat([
      buildFrame(FIRST_TEXT, spaces(MIB / 16)),
      ...Array.from({ length: 7 }, () => buildFrame(MORE, spaces(MIB / 16))),
    ]),
  },
  {
    name: 'fragments with pings between',
    riseMax: FRAGMENTS_MAX_MIB,
    content: Buffer.concat([
      buildFrame(FIRST_TEXT, spaces(MIB / 16)),
      ...Array.from({ length: 7 }, () => Buffer.concat([PING, buildFrame(MORE, spaces(MIB / 16))])),
    ]),
  },
]

/** Sends the same to many sockets; resolves with the most memory, when nothing has been refused for a second. */
async function crowd(content: Buffer): Promise<number> {
  const sockets = await openSockets(HALF_FRAMES)
  for (const socket of sockets) socket.write(content)
  let most = 0
  let stillFor = 0
  let openBefore = -1
  while (stillFor < 10) {
    await sleep(100)
    most = Math.max(most, residentMib())
    const open = sockets.filter((socket) => !isClosed(socket)).length
    stillFor = open === openBefore ? stillFor + 1 : 0
    openBefore = open
  }
  // Some are kept, within the budget; the others were closed.
  expect(openBefore).toBeGreaterThan(0)
  expect(openBefore * (MIB / 2)).toBeLessThanOrEqual(33 * MIB)
  for (const socket of ends.splice(0)) socket.destroy()
  count += sockets.length
  return most
}

test.runIf(canMeasure).each(halves)(
  `${HALF_FRAMES} sockets with $name each raise memory by at most $riseMax MiB`,
  async ({ name, content, riseMax }) => {
    await openSockets(HALF_FRAMES)
    await sleep(500)
    const before = residentMib()
    for (const socket of ends.splice(0)) socket.destroy()
    let most = 0
    for (let round = 0; round < ROUNDS; round++) most = Math.max(most, await crowd(content))
    console.log(
      `${HALF_FRAMES} sockets with ${name}, ${ROUNDS} times: ${before.toFixed(0)} -> ${most.toFixed(0)} MiB`,
    )
    expect(most - before).toBeLessThanOrEqual(riseMax)
    expect((await fetch(`${program.address}/livez`)).status).toBe(200)
  },
)

async function idleMs(): Promise<number> {
  const from = processorMs()
  await sleep(5_000)
  return processorMs() - from
}

test.runIf(canMeasure)(`${IDLE} idle sockets are served, and cost next to nothing`, async () => {
  const alone = await idleMs()
  const before = residentMib()
  const sockets = await openSockets(IDLE)
  await sleep(2_000)
  const together = await idleMs()
  console.log(
    `${IDLE} idle sockets: ${together} ms of processor time in 5 s, ${alone} ms without them; ` +
      `${(((residentMib() - before) * 1024) / IDLE).toFixed(1)} KiB each`,
  )
  expect(sockets.filter((socket) => isClosed(socket))).toEqual([])
  count += sockets.length
})
