import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '@tollgate/kit/clock'
import { afterEach, describe, expect, test } from 'vitest'
import { methodsOf } from './ledger-methods.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import type { RelayHarnessOptions } from './relay-harness-options.ts'
import { CHAT, listenFor, waitFor, type SendInput } from './send.ts'
import {
  answerWith,
  ChatStream,
  openScriptedUpstream,
  type Responder,
  type ScriptedUpstream,
} from './upstream.ts'
import { CHAT_END, conversationCases, type ConversationCase } from './settled-first-cases.ts'

/** The ledger has the settlement of an answer before the caller has its end. */

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
/** Opened after each test too, so that one that fails does not wait for its settlement. */
let gate = Promise.withResolvers<void>()

async function open(respond: Responder, options: RelayHarnessOptions = {}): Promise<void> {
  gate = Promise.withResolvers()
  harness = await openRelayHarness(options)
  upstream = await openScriptedUpstream(respond)
  ;({ bearer } = await harness.addCaller({ quota: 1_000_000_000n }))
}

afterEach(async () => {
  gate.resolve()
  await harness.quiet()
  const { findings } = await harness.ledger.audit()
  const holds = await harness.openHolds()
  await harness.close()
  await upstream.close()
  expect({ findings, holds }).toEqual({ findings: [], holds: 0 })
})

/** A ledger whose settlements wait until the test opens the gate. */
function gated() {
  const asked = Promise.withResolvers<void>()
  const callLedger: RelayHarnessOptions['callLedger'] = (ledger) => ({
    ...methodsOf(ledger),
    settle: async (input) => {
      asked.resolve()
      await gate.promise
      return ledger.settle(input)
    },
  })
  return { callLedger, asked: asked.promise, open: () => gate.resolve() }
}

/** Sends a call and follows what has arrived of its answer. */
function follow(input: SendInput) {
  const arrived = { text: '' }
  const answer = harness.send({ bearer, ...input, onText: (text) => (arrived.text = text) })
  return { arrived, answer }
}

/** Whatever the relay has written before this is called has arrived when it resolves. */
async function roundTrip(): Promise<void> {
  await harness.send({ method: 'GET', path: '/v1/models', bearer })
}

/** Streams the text, and its end only after the caller has the text, frame by frame. */
function streamOf({ text, end }: ConversationCase, textArrived: Promise<void>): Responder {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of text) response.write(frame)
    await textArrived
    for (const frame of end) {
      response.write(frame)
      await turn()
    }
    response.end()
  }
}

describe.each(conversationCases)('$name', (each) => {
  test('the end of a stream waits for its settlement, and the text before it does not', async () => {
    const ledger = gated()
    const { seen, onText } = listenFor('there')
    await open(streamOf(each, seen), ledger)
    await harness.addChannel(upstream.url, each.channel)
    let arrived = ''
    const answer = harness.send({
      ...each.send(true, bearer),
      onText: (text) => {
        arrived = text
        onText(text)
      },
    })
    await ledger.asked
    await roundTrip()
    expect(each.marks.filter((mark) => arrived.includes(mark))).toEqual([])
    ledger.open()
    const { text } = await answer
    expect(each.marks.filter((mark) => !text.includes(mark))).toEqual([])
    if (each.isSame) expect(text).toBe([...each.text, ...each.end].join(''))
    await harness.quiet()
    expect(await harness.entries()).toMatchObject([{ flags: '' }])
  })

  test('a whole answer waits for its settlement', async () => {
    const ledger = gated()
    await open((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(each.whole))
    }, ledger)
    await harness.addChannel(upstream.url, each.channel)
    const { arrived, answer } = follow(each.send(false, bearer))
    await ledger.asked
    await roundTrip()
    expect(arrived.text).toBe('')
    ledger.open()
    expect((await answer).text).toContain('there')
    await harness.quiet()
    expect(await harness.entries()).toMatchObject([{ flags: '' }])
  })
})

const STREAM = { ...CHAT, stream: true }

/** A ledger that settles in the same turn of the event loop, and the order of what it and the relay do. */
function inMemory() {
  const order: string[] = []
  const note = (chunk: unknown) => {
    const text = Buffer.isBuffer(chunk) ? chunk.toString() : chunk
    if (typeof text !== 'string' || text === '') return
    order.push(/finish_reason":"|usage|DONE/.test(text) ? 'end of the answer' : 'text')
  }
  const options: RelayHarnessOptions = {
    callLedger: (ledger) => ({
      ...methodsOf(ledger),
      settle: (input) => {
        order.push('settled')
        setImmediate(() => order.push('next turn'))
        void ledger.settle(input)
        return { charged: input.amount, waived: 0n, late: false }
      },
    }),
    onCall: (response) => {
      const [write, end] = [response.write.bind(response), response.end.bind(response)]
      Object.assign(response, {
        write: (chunk: never, ...rest: never[]) => {
          note(chunk)
          return write(chunk, ...rest)
        },
        end: (chunk: never, ...rest: never[]) => {
          note(chunk)
          return end(chunk, ...rest)
        },
      })
    },
  }
  return { order, options }
}

describe('a settlement in memory', () => {
  test('precedes the end of a stream in the same turn, and delays no frame before it', async () => {
    const { order, options } = inMemory()
    const { promise, resolve } = Promise.withResolvers<void>()
    await open(async (response) => {
      const stream = new ChatStream(response).say('hello')
      await promise
      stream.say(' there')
      await waitFor(() => order.length === 2)
      stream.finish().usage().done()
    }, options)
    await harness.addChannel(upstream.url)
    const { seen, onText } = listenFor('hello')
    const answer = harness.send({ bearer, body: STREAM, onText })
    await seen
    resolve()
    await answer
    await turn()
    expect(order).toEqual(['text', 'text', 'settled', 'end of the answer', 'next turn'])
  })

  test('precedes a whole answer in the same turn', async () => {
    const { order, options } = inMemory()
    await open(answerWith(), options)
    await harness.addChannel(upstream.url)
    await harness.send({ bearer, body: CHAT })
    await turn()
    expect(order).toEqual(['settled', 'end of the answer', 'next turn'])
  })
})

describe('a ledger that does not settle', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('no ledger')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no ledger'))],
  ])('and %s does not keep the answer from its caller, and is asked again', async (_name, fail) => {
    let tries = 0
    await open(answerWith(), {
      callLedger: (ledger) => ({
        ...methodsOf(ledger),
        settle: (input) => (tries++ === 0 ? fail() : ledger.settle(input)),
      }),
    })
    await harness.addChannel(upstream.url)
    expect((await harness.send({ bearer, body: CHAT })).text).toContain('hello there')
    await harness.quiet()
    expect(tries).toBe(2)
    expect(await harness.entries()).toMatchObject([{ amount: 38n, flags: '' }])
  })

  test('in time is not waited for without end', async () => {
    const ledger = gated()
    const clock = new ManualClock()
    await open(answerWith(), { ...ledger, clock })
    await harness.addChannel(upstream.url)
    const { arrived, answer } = follow({ body: CHAT })
    await ledger.asked
    clock.advance(4_000)
    harness.relay.tick()
    await roundTrip()
    expect(arrived.text).toBe('')
    clock.advance(1_000)
    harness.relay.tick()
    expect((await answer).text).toContain('hello there')
    expect(harness.relay.inFlight).toBe(1)
    ledger.open()
    await harness.quiet()
    expect(await harness.entries()).toMatchObject([{ amount: 38n }])
  })
})

test('a caller who leaves between the settlement and the end is charged for the whole', async () => {
  const ledger = gated()
  const { seen, onText } = listenFor('hello')
  await open(async (response) => {
    const stream = new ChatStream(response).say('hello')
    await seen
    stream.finish().usage().done()
  }, ledger)
  await harness.addChannel(upstream.url)
  await harness.send({ bearer, body: STREAM, onText, leaveOnce: ledger.asked })
  await harness.noticed()
  ledger.open()
  await harness.quiet()
  expect(await harness.entries()).toMatchObject([{ amount: 38n, flags: '' }])
})

const finishOf = (index: number) => ({ choices: [{ index, delta: {}, finish_reason: 'stop' }] })
const textOf = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] })

test('with several choices, only the end of the last one waits', async () => {
  const ledger = gated()
  const first = listenFor('late text')
  await open(async (response) => {
    const stream = new ChatStream(response).frame(textOf(0, 'one')).frame(textOf(1, 'two')).frame(finishOf(0))
    stream.frame(textOf(1, 'late text'))
    await first.seen
    stream.frame(finishOf(1)).usage().done()
  }, ledger)
  await harness.addChannel(upstream.url)
  let arrived = ''
  const onText = (text: string) => {
    arrived = text
    first.onText(text)
  }
  const answer = harness.send({ bearer, body: { ...STREAM, n: 2 }, onText })
  await ledger.asked
  await roundTrip()
  expect(arrived.split('"finish_reason":"stop"')).toHaveLength(2)
  ledger.open()
  expect((await answer).text.split('"finish_reason":"stop"')).toHaveLength(3)
})

test('usage in the middle of a stream does not delay it', async () => {
  const { seen, onText } = listenFor('more')
  await open(async (response) => {
    const usage = { prompt_tokens: 10, completion_tokens: 1 }
    const say = (content: string) => ({ choices: [{ index: 0, delta: { content } }], usage })
    const stream = new ChatStream(response).frame(say('some')).frame(say('more'))
    await seen
    stream.finish().usage().done()
  })
  await harness.addChannel(upstream.url)
  const { text } = await harness.send({ bearer, body: STREAM, onText })
  expect(text).toContain(CHAT_END)
})

test('an end that does not come is released with a checkpoint, and the call is settled when it comes', async () => {
  const clock = new ManualClock()
  const checkpoints: bigint[] = []
  const { seen, onText } = listenFor('finish_reason":"stop')
  await open(
    async (response) => {
      const stream = new ChatStream(response).say('hello').finish()
      await seen
      stream.usage().done()
    },
    {
      clock,
      callLedger: (ledger) => ({
        ...methodsOf(ledger),
        checkpoint: (input) => {
          checkpoints.push(input.amount)
          return ledger.checkpoint(input)
        },
      }),
    },
  )
  await harness.addChannel(upstream.url)
  const answer = harness.send({ bearer, body: STREAM, onText })
  await waitFor(() => upstream.received.length === 1)
  const released = { is: false }
  void seen.then(() => (released.is = true))
  for (let seconds = 0; !released.is; seconds++) {
    expect(seconds).toBeLessThan(50)
    await new Promise((resolve) => setTimeout(resolve, 10))
    clock.advance(1_000)
    harness.relay.tick()
  }
  expect((await answer).text).toContain('DONE')
  expect(checkpoints.length).toBeGreaterThan(0)
  await harness.quiet()
  expect(await harness.entries()).toMatchObject([{ amount: 38n, flags: '' }])
})

test('the last bytes of sound wait for the settlement', async () => {
  const ledger = gated()
  const sound = 'abc'.repeat(1_000)
  await open((response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.end(sound)
  }, ledger)
  await harness.addChannel(upstream.url, { models: 'tts-1' })
  const body = { model: 'tts-1', voice: 'alloy', input: '12345678' }
  const { arrived, answer } = follow({ path: '/v1/audio/speech', body })
  await ledger.asked
  await waitFor(() => arrived.text.length > 0)
  await roundTrip()
  expect(arrived.text.length).toBeLessThan(sound.length)
  ledger.open()
  expect((await answer).text).toBe(sound)
})
