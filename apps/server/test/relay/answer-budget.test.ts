import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import process from 'node:process'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { ManualClock } from '@tollgate/kit/clock'
import { invariant } from '@tollgate/kit/invariant'
import { answeringServers } from '@tollgate/testkit/databases'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

/** Answers take room from their head on, until their caller has everything. */

const MODEL = 'large'
const MIB = 1024 * 1024
const USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }
const LIMITS = { answerBytesMax: 8 * MIB, answersBytesMax: 32 * MIB, userAnswersBytesMax: 8 * MIB }

function chat(content: string): string {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  return JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage: USAGE })
}

let url = ''
let requests = 0
let text = ''
let isChunked = false
const vendors: Socket[] = []
const vendor = createServer((socket) => {
  let request = ''
  vendors.push(socket)
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => {
    request += bytes.toString('latin1')
    const head = request.indexOf('\r\n\r\n') + 4
    const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0)
    if (head < 4 || request.length < head + length) return
    request = ''
    requests++
    const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${text.length}`
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`)
    socket.write(isChunked ? `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n` : text)
  })
})

beforeAll(async () => {
  await once(vendor.listen(0, '127.0.0.1'), 'listening')
  const address = vendor.address()
  invariant(typeof address === 'object' && address, 'the vendor listens on a port')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => {
  for (const socket of vendors) socket.destroy()
  vendor.close()
})

let harness: RelayHarness
let clock: ManualClock
const stalled: Socket[] = []

let dropDatabase: () => Promise<void> = async () => undefined

async function open(limits: Partial<typeof LIMITS> = LIMITS, dsn?: string) {
  clock = new ManualClock(Date.now())
  harness = await openRelayHarness({
    clock,
    limits: { callerIdleMs: 3_600_000, ...limits },
    ...(dsn !== undefined && { dsn }),
  })
  await harness.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1 }))
  await harness.addChannel(url, { models: MODEL })
  requests = 0
}

afterEach(async () => {
  for (const socket of stalled.splice(0)) socket.destroy()
  await harness.quiet()
  await expect.poll(() => harness.relay.answerBytes).toBe(0)
  const { findings } = await harness.ledger.audit()
  const bugs = harness.said.filter(({ level }) => level === 'error')
  expect({ findings, bugs, holds: await harness.openHolds() }).toEqual({ findings: [], bugs: [], holds: 0 })
  await harness.close()
  await dropDatabase()
  dropDatabase = async () => undefined
})

const addCaller = async () => (await harness.addCaller({ quota: 1_000_000_000n })).bearer

/** Messages from a chat vendor are converted, so they are kept whole. */
function ask(bearer: string) {
  const body = { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }
  return harness.send({ bearer, path: '/v1/messages', body })
}

/** A caller who reads only what `read` takes. */
function stall(bearer: string, path = '/v1/messages'): Socket {
  const body = JSON.stringify({
    model: MODEL,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hi' }],
  })
  const caller = connect(harness.port, '127.0.0.1')
  caller.on('error', () => undefined)
  caller.pause()
  caller.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${bearer}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  stalled.push(caller)
  return caller
}

/** Lets time pass as the gateway sees it, in steps between which the event loop turns. */
async function pass(seconds: number): Promise<void> {
  for (let at = 0; at < seconds; at++) {
    clock.advance(1000)
    harness.relay.tick()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function rows() {
  await harness.quiet()
  return (await harness.logs()).map(({ type, prompt_tokens: input, completion_tokens: output, quota }) => ({
    type,
    input,
    output,
    isCharged: Number(quota) > 0,
  }))
}

test.each([
  ['an announced length', false],
  ['an unknown length', true],
])(
  'while answers of %s fill the room of their user, nothing more of theirs goes upstream',
  async (_, how) => {
    await open()
    const [full, other] = [await addCaller(), await addCaller()]
    text = chat('y'.repeat(7.9 * MIB))
    isChunked = how
    const caller = stall(full)
    await expect.poll(() => harness.relay.answerBytes, { timeout: 10_000 }).toBeGreaterThanOrEqual(8 * MIB)
    await harness.quiet()
    const refused = await ask(full)
    expect({ status: refused.status, code: refused.error['code'] ?? refused.error['type'] }).toMatchObject({
      status: 429,
    })
    expect(refused.headers['retry-after']).toBe('2')
    expect(requests).toBe(1)
    const served = await ask(other)
    expect({ status: served.status, isWhole: served.text.length > 7.9 * MIB }).toEqual({
      status: 200,
      isWhole: true,
    })
    // The one who stalled was charged before the last byte, once.
    caller.destroy()
    await expect.poll(() => harness.relay.answerBytes).toBe(0)
    expect((await ask(full)).status).toBe(200)
    const charged = (await rows()).filter(({ isCharged }) => isCharged)
    expect(charged).toEqual(
      Array.from({ length: 3 }, () => ({ type: 2, input: 10, output: 20, isCharged: true })),
    )
  },
)

/** What one of these callers gets that contains this text. */
function firstBytes(callers: readonly Socket[], wanted: string): Promise<string> {
  return new Promise((resolve) => {
    for (const caller of callers) {
      caller.once('data', (bytes) => {
        const head = bytes.toString('latin1')
        if (head.slice(0, 64).includes(wanted)) resolve(head)
      })
      caller.resume()
    }
  })
}

const databases = [{ label: 'SQLite', createMigrated: undefined }, ...(await answeringServers())]

async function openOn(
  createMigrated: (typeof databases)[number]['createMigrated'],
  limits: Partial<typeof LIMITS> = LIMITS,
): Promise<void> {
  const database = await createMigrated?.()
  dropDatabase = database?.drop ?? (async () => undefined)
  await open(limits, database?.dsn)
}

describe.each(databases)('$label', ({ createMigrated }) => {
  test('an answer that waits ten seconds for the room of its own user is cut and charged for its input', async () => {
    await openOn(createMigrated)
    const bearer = await addCaller()
    text = chat('y'.repeat(6 * MIB))
    isChunked = false
    const [first, second] = [stall(bearer), stall(bearer)]
    await expect.poll(() => requests).toBe(2)
    await expect.poll(() => harness.relay.inFlight).toBe(1)
    await pass(11)
    await harness.quiet()
    const error = await firstBytes([first, second], '503')
    expect(error).toContain('503')
    expect(requests).toBe(2)
    const [whole, cut] = (await rows()).toSorted((one, other) => other.output - one.output)
    expect(whole).toEqual({ type: 2, input: 10, output: 20, isCharged: true })
    expect(cut).toMatchObject({ type: 2, output: 0, isCharged: true })
    const flags = (await harness.entries()).map((entry) => entry.flags)
    expect(flags.some((names) => names.includes('partial'))).toBe(true)
  })

  test('an answer that waits for the room of the process is free, and its row says what the vendor bills', async () => {
    await openOn(createMigrated, {
      answerBytesMax: 8 * MIB,
      answersBytesMax: 11 * MIB,
      userAnswersBytesMax: 8 * MIB,
    })
    const [one, other] = [await addCaller(), await addCaller()]
    text = chat('y'.repeat(7 * MIB))
    isChunked = false
    stall(one)
    await expect.poll(() => harness.relay.answerBytes, { timeout: 10_000 }).toBeGreaterThanOrEqual(7 * MIB)
    await harness.quiet()
    const answering = ask(other)
    await expect.poll(() => requests).toBe(2)
    await expect.poll(() => harness.relay.inFlight).toBe(1)
    await pass(11)
    const refused = await answering
    expect({ status: refused.status, after: refused.headers['retry-after'] }).toEqual({
      status: 503,
      after: '5',
    })
    // No other channel was asked, and none of this is held against the one that was.
    expect(requests).toBe(2)
    const failedRow = async () => (await harness.logs()).find(({ type }) => type === LOG_TYPE.error)
    await expect.poll(failedRow).toMatchObject({ quota: expect.anything() })
    const failed = await failedRow()
    expect(JSON.parse(failed?.other ?? '{}')).toMatchObject({
      error_code: 'answer_room_full',
      admin_info: { billed_input_tokens: expect.any(Number), attempts: [{ status: 503 }] },
    })
    expect(Number(failed?.quota)).toBe(0)
  })
})

test.each([
  ['never reads', 0],
  ['drips', 100],
  ['reads slowly', 5_000],
])(
  'a caller who %s is cut when another answer waits for the room, and stays charged',
  async (_, bytesPerSecond) => {
    await open({ answerBytesMax: 16 * MIB, answersBytesMax: 22 * MIB, userAnswersBytesMax: 16 * MIB })
    const [slowOne, other] = [await addCaller(), await addCaller()]
    text = chat('y'.repeat(15.9 * MIB))
    isChunked = false
    const slow = stall(slowOne)
    let isCut = false
    slow.on('close', () => {
      isCut = true
    })
    await expect.poll(() => harness.relay.answerBytes, { timeout: 10_000 }).toBeGreaterThanOrEqual(16 * MIB)
    await harness.quiet()
    for (let at = 0; at < 65; at++) {
      slow.read(bytesPerSecond)
      await pass(1)
    }
    // While nobody waits, a caller may read as slowly as it likes.
    expect({ isCut, bytes: harness.relay.answerBytes }).toEqual({ isCut: false, bytes: 16 * MIB })
    const answering = ask(other)
    await expect.poll(() => requests).toBe(2)
    await expect
      .poll(async () => {
        await pass(1)
        return harness.relay.inFlight
      })
      .toBe(0)
    slow.resume()
    expect((await answering).status).toBe(200)
    await expect.poll(() => isCut).toBe(true)
    expect(await rows()).toEqual(
      Array.from({ length: 2 }, () => ({ type: 2, input: 10, output: 20, isCharged: true })),
    )
  },
)

test('thirty never-reading callers of as many users hold no more than the budget, and one who reads is served', async () => {
  await open({ answerBytesMax: 12 * MIB, answersBytesMax: 36 * MIB, userAnswersBytesMax: 12 * MIB })
  text = chat('y'.repeat(10 * MIB))
  let most = 0
  for (const how of [false, true]) {
    isChunked = how
    const bearers = await Promise.all(Array.from({ length: 15 }, addCaller))
    const callers = bearers.map((bearer) => stall(bearer))
    await expect.poll(() => harness.relay.answerBytes, { timeout: 10_000 }).toBeGreaterThan(8 * MIB)
    for (let at = 0; at < 45; at++) {
      await pass(1)
      most = Math.max(most, harness.relay.answerBytes)
    }
    const reader = await addCaller()
    text = chat('ok')
    expect((await ask(reader)).status).toBe(200)
    text = chat('y'.repeat(10 * MIB))
    for (const caller of callers) caller.destroy()
    await harness.quiet()
    await expect.poll(() => harness.relay.answerBytes).toBe(0)
  }
  expect(most).toBeLessThanOrEqual(36 * MIB)
  process.stdout.write(`answer budget: ${requests} answers, at most ${(most / MIB).toFixed(1)} MiB held\n`)
})

test('forty answers of eight users that all nearly fill the budget come whole, of either kind', async () => {
  await open({ answerBytesMax: 4 * MIB, answersBytesMax: 12 * MIB, userAnswersBytesMax: 4 * MIB })
  text = chat('y'.repeat(3.5 * MIB))
  const bearers = await Promise.all(Array.from({ length: 8 }, addCaller))
  for (const how of [true, false]) {
    isChunked = how
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => ask(bearers[at % bearers.length] ?? '')),
    )
    const whole = answers.filter(({ status, text: body }) => status === 200 && body.length > 3.5 * MIB)
    expect(whole.length + answers.filter(({ status }) => status === 429).length).toBe(20)
    expect(whole.length).toBeGreaterThanOrEqual(8)
  }
})

test('answers that pass take next to no room, so many of one user pass at once', async () => {
  await open({ answerBytesMax: 8 * MIB, answersBytesMax: 11 * MIB, userAnswersBytesMax: 8 * MIB })
  const bearer = await addCaller()
  text = chat('y'.repeat(7 * MIB))
  isChunked = false
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, harness.relay.answerBytes)
  }, 1)
  const body = { model: MODEL, messages: [{ role: 'user', content: 'hi' }] }
  const answers = await Promise.all(Array.from({ length: 20 }, () => harness.send({ bearer, body })))
  clearInterval(look)
  expect(answers.every(({ status, text: sent }) => status === 200 && sent === text)).toBe(true)
  expect(most).toBeLessThanOrEqual(8 * MIB)
  expect(await rows()).toHaveLength(20)
})
