import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { ReplyCollector } from '@tollgate/dialects/canonical/collect'
import { FrameReader } from '@tollgate/dialects/canonical/frames'
import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { Reading } from '@tollgate/dialects/dialect'
import type { StreamTap } from '@tollgate/dialects/stream/stream-tap'
import { parseObject } from '@tollgate/dialects/json'
import { openTap } from '@tollgate/dialects/pair/open-tap'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { readWhole, readWholeAsStream } from '@tollgate/dialects/pair/read-whole'
import { describe, expect, it } from 'vitest'
import { providers } from './index.ts'
import type { Endpoint } from './provider.ts'

/**
 * Tests the conversation formats of each provider for clients of every API: a whole response, a stream cut
 * anywhere, and a stream that breaks off. The fixtures are bytes in the vendor's format.
 */

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))
const WAYS = ['responses', 'generate', 'own'] as const
/** The vendor whose fixtures are used for each format when a provider has none of its own. */
const AUTHORS = { responses: 'openai', generate: 'gemini', messages: 'bedrock' } as const
const CALLERS = [
  'chat',
  'messages',
  'responses',
  'generate',
] as const satisfies readonly ConversationOperation[]

interface Expected {
  readonly conversation: {
    readonly text: string
    readonly reasoning?: string
    /** Absent: the vendor reports no usage. */
    readonly usage?: object
    /** Usage of the whole response, if it differs from that of the stream. */
    readonly answerUsage?: object
    /** The stream is binary, and the fixture is in hexadecimal. */
    readonly isBinary?: boolean
  }
}

const ways = providers.flatMap((provider) =>
  WAYS.flatMap((resolved) => {
    const [endpoint] = provider.endpoints[resolved] ?? []
    return endpoint === undefined ? [] : [{ id: provider.id, resolved, endpoint }]
  }),
)

/** Messages endpoints with a framing other than SSE; the other suite covers those with plain SSE. */
const framed = providers.flatMap((provider) => {
  const [endpoint] = provider.endpoints.messages ?? []
  return endpoint?.openFrames === undefined
    ? []
    : [{ id: provider.id, resolved: 'messages' as const, endpoint }]
})

/** Larger steps, and so fewer cuts, for `npm run verify`. */
const CUT_STEP = process.env['TOLLGATE_QUICK'] ? 77 : 11
/** The clients take turns with the cuts, because reading a stream does not depend on its client. */
const cutsFor = (asked: ConversationOperation, length: number) => {
  const first = 1 + CUT_STEP * CALLERS.indexOf(asked)
  const step = CUT_STEP * CALLERS.length
  return Array.from({ length: Math.ceil((length - first) / step) }, (_, index) => first + index * step)
}

describe.each([...ways, ...framed])('$id in its native format ($resolved)', ({ id, resolved, endpoint }) => {
  const from = resolved === 'own' || existsSync(`${FIXTURES}${id}/${resolved}.json`) ? id : AUTHORS[resolved]
  const { conversation }: Expected = JSON.parse(readFileSync(`${FIXTURES}${from}/expected.json`, 'utf8'))
  const { streams } = endpoint
  const isCollected = streams === 'always'
  const stream = streams === 'never' ? Buffer.alloc(0) : streamOf(from, resolved)
  const answer = isCollected ? stream : readFileSync(`${FIXTURES}${from}/${resolved}.json`)

  it.each(CALLERS)('a whole response is converted for %s clients', (asked) => {
    const { bytes, reading } = readWhole(answer, { ...rulesOf(asked, resolved, endpoint), isCollected })
    expect(reading).toMatchObject({ error: undefined, isComplete: true, finish: { reason: 'stop' } })
    expectUsage(reading, conversation.answerUsage ?? conversation.usage)
    expect(saidIn(bytes, asked)).toEqual(said(conversation))
  })

  it.each(isCollected ? [] : CALLERS)('a whole response is replayed as a stream for %s clients', (asked) => {
    const { bytes, reading } = readWholeAsStream(answer, rulesOf(asked, resolved, endpoint))
    expect(reading.error).toBeUndefined()
    expect(streamedIn(bytes, asked)).toEqual(said(conversation))
  })

  if (streams === 'never') return

  it.each(CALLERS)('a stream is converted for %s clients the same wherever it is cut', (asked) => {
    const whole = read(openTap(rulesOf(asked, resolved, endpoint)), [stream])
    expect(whole.tap.reading).toMatchObject({
      error: undefined,
      isComplete: true,
      finish: { reason: 'stop' },
    })
    expectUsage(whole.tap.reading, conversation.usage)
    expect(streamedIn(whole.output, asked)).toEqual(said(conversation))
    const cuts = cutsFor(asked, stream.length)
    expect(cuts.length).toBeGreaterThan(0)
    const differing = cuts.filter((cut) => {
      const parts = [stream.subarray(0, cut), stream.subarray(cut)]
      const { output, tap } = read(openTap(rulesOf(asked, resolved, endpoint)), parts)
      return !output.equals(whole.output) || !isDeepStrictEqual(tap.reading, whole.tap.reading)
    })
    expect(differing).toEqual([])
  })

  it.each(CALLERS)('a stream that breaks off is reported as incomplete to %s clients', (asked) => {
    const tap = openTap(rulesOf(asked, resolved, endpoint))
    const begun = tap.push(stream.subarray(0, Math.floor(stream.length * 0.6)))
    expect(tap.reading.isComplete).toBe(false)
    const output = Buffer.concat([...begun, ...tap.cut()])
    expect(endOf(output, asked)).toBe('length')
    const broken = openTap(rulesOf(asked, resolved, endpoint))
    broken.push(stream.subarray(0, Math.floor(stream.length * 0.6)))
    broken.end()
    expect(broken.reading.isComplete).toBe(false)
  })
})

function expectUsage({ usage }: Reading, expected: object | undefined): void {
  if (expected === undefined) expect(usage).toBeUndefined()
  else expect(usage).toMatchObject(expected)
}

function streamOf(id: string, resolved: string): Buffer {
  const text = ['sse', 'ndjson'].map((kind) => `${FIXTURES}${id}/${resolved}.${kind}`).find(existsSync)
  return text !== undefined
    ? readFileSync(text)
    : Buffer.from(readFileSync(`${FIXTURES}${id}/${resolved}.hex`, 'utf8').replaceAll(/\s/g, ''), 'hex')
}

function rulesOf(
  asked: ConversationOperation,
  resolved: PairRules['endpoint'],
  { readUsage, codec, openFrames }: Endpoint,
): PairRules {
  const context = { model: 'm', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 1, wantsUsage: true }
  return {
    asked,
    caller: conversations[asked].caller,
    endpoint: resolved,
    readUsage,
    context,
    ...(codec && { codec }),
    ...(openFrames && { openFrames }),
  }
}

function read(
  tap: StreamTap,
  chunks: readonly Buffer[],
): { readonly tap: StreamTap; readonly output: Buffer } {
  const pieces = chunks.flatMap((chunk) => [...tap.push(chunk)])
  return { tap, output: Buffer.concat([...pieces, ...tap.end()]) }
}

function said({ text, reasoning = '' }: Expected['conversation']): object {
  return { text, reasoning }
}

function saidIn(bytes: Buffer, asked: ConversationOperation): object {
  const { upstream } = conversations[asked]
  const answer = upstream.readReply(parseObject(bytes) ?? {}, upstream.readUsage)
  if (answer.type === 'error') return answer
  return textsOf(answer.reply)
}

function collected(bytes: Buffer, asked: ConversationOperation): ReplyCollector {
  const { upstream } = conversations[asked]
  const reader = upstream.openReader(upstream.readUsage)
  const frames = new FrameReader()
  const collector = new ReplyCollector()
  const all = [...frames.push(bytes), ...frames.end()].flatMap((frame) => [...reader.push(frame)])
  for (const event of [...all, ...reader.end()]) collector.push(event)
  return collector
}

function streamedIn(bytes: Buffer, asked: ConversationOperation): object {
  const collector = collected(bytes, asked)
  expect(collector.isComplete).toBe(true)
  return textsOf(collector.reply())
}

function endOf(bytes: Buffer, asked: ConversationOperation): string | undefined {
  return collected(bytes, asked).reply().choices[0]?.end.reason
}

function textsOf({ choices }: ReturnType<ReplyCollector['reply']>): object {
  const parts = choices[0]?.parts ?? []
  const joined = (type: string) =>
    parts.flatMap((part) => (part.type === type && 'text' in part ? [part.text] : [])).join('')
  return { text: joined('text'), reasoning: joined('reasoning') }
}
