import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { fileURLToPath } from 'node:url'
import type { StreamTap } from '@tollgate/dialects/stream/stream-tap'
import { isRecord, recordAt, recordsAt } from '@tollgate/dialects/json'
import { readAnswer } from '@tollgate/dialects/openai/answer'
import { readAsk } from '@tollgate/dialects/ask'
import { codecOf, conversations, type CallOperation } from '@tollgate/dialects/conversations'
import { ReplyCollector } from '@tollgate/dialects/canonical/collect'
import { FrameReader } from '@tollgate/dialects/canonical/frames'
import { openTap } from '@tollgate/dialects/pair/open-tap'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { readWhole } from '@tollgate/dialects/pair/read-whole'
import type { OpenAiOperation } from '@tollgate/dialects/openai/operation'
import { openStreamTap } from '@tollgate/dialects/openai/stream-tap'
import { readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { readVectors } from '@tollgate/dialects/vectors/pair'
import { describe, expect, it } from 'vitest'
import { defaultChannelSettings } from './channel-settings.ts'
import { readBalanceOf } from './define/balance.ts'
import { cloudflare } from './cloudflare/index.ts'
import { providers } from './index.ts'
import { prepareAttempt } from '../test/prepare-attempt.ts'
import { resolveEndpoint } from './prepare/resolve-endpoint.ts'
import type { Provider, Upstream } from './provider.ts'

/**
 * Tests that every provider has to pass: the URL and body of a request, and the reading of a response, a
 * stream and an error. The fixtures are bytes in the vendor's format; each `expected.json` names the
 * documentation page it follows.
 */

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))
/** Streams are cut at every byte; at every seventh byte for `npm run verify`. */
const CUT_STEP = process.env['TOLLGATE_QUICK'] ? 7 : 1

interface Expected {
  readonly source: string
  readonly upstream: Partial<Upstream>
  readonly calls: Partial<Record<CallOperation, ExpectedCall>>
  readonly answer?: ExpectedReading
  readonly stream?: ExpectedReading
  readonly reasoning?: string
  readonly error: {
    readonly status: number
    readonly message: string
    readonly code: string
    readonly type: string
  }
  readonly modelList?: { readonly url: string }
  readonly balance?: ExpectedBalance
  readonly errorInside?: { readonly body: Record<string, unknown>; readonly message: string }
}

interface ExpectedCall {
  readonly ask: Record<string, unknown>
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Record<string, unknown>
}

interface ExpectedBalance {
  /** The URLs that are requested, in order, each with its response. */
  readonly answers: Readonly<Record<string, unknown>>
  readonly amount: number
  readonly currency: string
}

interface ExpectedReading {
  readonly text: string
  /** Does not include `raw`. `null` means that the vendor reports no usage. */
  readonly usage: object | null
}

/** Providers with tasks only are tested end to end in the relay's tests. */
const speaking = providers.filter(({ endpoints }) => Object.keys(endpoints).length > 0)

describe.each(speaking.map((provider) => ({ id: provider.id, provider })))('$id', ({ id, provider }) => {
  const expected = readExpected(id)
  const upstream = upstreamOf(provider, expected)

  it('names the documentation page it follows', () => {
    expect(expected.source).toMatch(/^https:\/\//)
  })

  it.each(Object.entries(expected.calls))(
    'writes the %s request as the vendor expects it',
    (operation, call) => {
      const prepared = prepareAttempt(
        attempt(provider, upstream, { operation: operationNamed(operation), ask: call.ask }),
      )
      expect(prepared.url).toBe(call.url)
      expect(prepared.headers).toEqual(call.headers)
      expect(JSON.parse(prepared.body.toString())).toEqual(call.body)
    },
  )

  only(has(id, 'chat.json'))('reads an answer', () => {
    const { reading, bytes } = readAnswer({
      ...rules(provider, 'chat'),
      operation: 'chat',
      bytes: fixture(id, 'chat.json'),
    })
    expect(reading).toMatchObject({ error: undefined, hasOutput: true, finish: { reason: 'stop' } })
    expect(withoutRaw(reading.usage)).toEqual(expected.answer?.usage)
    expect(textOf([JSON.parse(bytes.toString())])).toEqual(said(expected, expected.answer))
  })

  only(has(id, 'chat.sse'))('reads a stream, wherever it is cut', () => {
    const bytes = fixture(id, 'chat.sse')
    const whole = read(tapFor(provider), [bytes])
    expect(textOf(framesOf(whole.output))).toEqual(said(expected, expected.stream))
    expect(withoutRaw(whole.tap.reading.usage)).toEqual(expected.stream?.usage ?? undefined)
    expect(whole.tap.reading).toMatchObject({ isComplete: true, hasOutput: true, error: undefined })
    expect(whole.output.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(cutsThatDiffer(bytes, { step: CUT_STEP, whole, open: () => tapFor(provider) })).toEqual([])
  })

  only(has(id, 'chat.sse'))('notices when a stream breaks off', () => {
    const bytes = fixture(id, 'chat.sse')
    const finish = bytes.indexOf('"finish_reason":"stop"')
    const { output, tap } = read(tapFor(provider), [bytes.subarray(0, finish)])
    expect(tap.reading.isComplete).toBe(false)
    expect(output === '' || output.endsWith('\n\n')).toBe(true)
  })

  only(has(id, 'messages.json'))('reads a message, for callers of every dialect', () => {
    const bytes = fixture(id, 'messages.json')
    const own = readWhole(bytes, pair(provider, 'messages'))
    expect(own.reading).toMatchObject({ error: undefined, hasOutput: true, finish: { reason: 'stop' } })
    expect(withoutRaw(own.reading.usage)).toEqual(expected.answer?.usage)
    expect(own.bytes.equals(bytes)).toBe(true)
    const chat = readWhole(bytes, pair(provider, 'chat'))
    expect(textOf([JSON.parse(chat.bytes.toString())]).text).toBe(expected.answer?.text)
    expect(chat.reading.usage).toEqual(own.reading.usage)
  })

  only(has(id, 'messages.sse'))('reads a stream of messages, wherever it is cut', () => {
    const bytes = fixture(id, 'messages.sse')
    for (const asked of ['messages', 'chat'] as const) {
      const whole = read(openTap(pair(provider, asked)), [bytes])
      expect(saidIn(whole.output, asked)).toEqual(said(expected, expected.stream))
      expect(withoutRaw(whole.tap.reading.usage)).toEqual(expected.stream?.usage)
      expect(whole.tap.reading).toMatchObject({
        isComplete: true,
        finish: { reason: 'stop' },
        error: undefined,
      })
      const open = () => openTap(pair(provider, asked))
      expect(cutsThatDiffer(bytes, { step: 7, whole, open })).toEqual([])
    }
  })

  only(has(id, 'messages.sse'))('notices when a stream of messages breaks off, and ends it honestly', () => {
    const bytes = fixture(id, 'messages.sse')
    for (const asked of ['messages', 'chat'] as const) {
      const tap = openTap(pair(provider, asked))
      const begun = tap.push(bytes.subarray(0, bytes.indexOf(' to the sea')))
      expect(tap.reading).toMatchObject({ isComplete: false, hasOutput: true })
      const output = Buffer.concat([...begun, ...tap.cut()]).toString()
      const reply = replyIn(output, asked)
      expect(reply.choices[0]?.end.reason).toBe('length')
      expect(output).toContain('Rivers bring salt')
    }
  })

  only(has(id, 'embeddings.json'))('reads vectors, and packs them for who wants them so', () => {
    const came = fixture(id, 'embeddings.json')
    const model = expected.calls.embeddings?.ask['model']
    const answered = (packsVectors: boolean) =>
      readAnswer({
        ...rules(provider, 'embeddings', String(model)),
        operation: 'embeddings' as const,
        bytes: came,
        packsVectors,
      })
    const { reading, bytes } = answered(false)
    expect(reading).toMatchObject({ hasOutput: true, usage: { inputText: 3, outputText: 0 } })
    const isAdjusted = resolveEndpoint(provider, 'embeddings')?.endpoint.adjustAnswer !== undefined
    if (!isAdjusted) expect(bytes.equals(came)).toBe(true)
    const [vector] = vectorsIn(bytes)
    const [packed] = vectorsIn(answered(true).bytes)
    const numbers = new Float32Array(new Uint8Array(Buffer.from(String(packed), 'base64')).buffer)
    expect([...numbers]).toEqual([...new Float32Array(Array.isArray(vector) ? vector : [])])
    expect(numbers.length).toBeGreaterThan(0)
  })

  only(has(id, 'embed.json'))('reads vectors of its own format', () => {
    const resolved = resolveEndpoint(provider, 'embed')
    const context = { model: 'm', inputTokensCounted: 3 }
    const bytes = fixture(id, 'embed.json')
    const readUsage = resolved?.endpoint.readUsage ?? (() => undefined)
    const answer = readVectors(bytes, { asked: 'embed', endpoint: 'embed', readUsage, context })
    expect(answer.reading).toMatchObject({ hasOutput: true, isComplete: true, error: undefined })
    expect(answer.bytes).toBe(bytes)
  })

  it('reads an error', () => {
    const { message, code, type, status } = errorReaderOf(provider, expected)(
      expected.error.status,
      fixture(id, 'error.json'),
    )
    expect({ message, code, type, status }).toEqual(expected.error)
  })

  it('has the URL of the model list', () => {
    expect(provider.modelList?.url(upstream)).toBe(expected.modelList?.url)
    expect(provider.modelList?.read({ nothing: 1 }) ?? []).toEqual([])
  })

  it('reads the balance, if the vendor reports one', async () => {
    const { answers = {}, ...balance } = expected.balance ?? {}
    const asked: string[] = []
    const get = async (url: string): Promise<unknown> => {
      asked.push(url)
      return answers[url]
    }
    const { balance: reader } = provider
    const reported = reader && (await readBalanceOf(reader, { upstream, nowMs: Date.UTC(2026, 2, 9), get }))
    expect(reported).toEqual(expected.balance && balance)
    expect(asked).toEqual(Object.keys(answers))
    expect(reader?.read({})).toBeUndefined()
  })

  only(expected.errorInside)('knows an error inside an answer', () => {
    expect(provider.errorInside?.(expected.errorInside?.body ?? {})).toBe(expected.errorInside?.message)
  })
})

describe('cloudflare', () => {
  it("converts the vendor's own text format to completions, whole and streamed", () => {
    const answer = readAnswer({
      ...rules(cloudflare, 'completions'),
      operation: 'completions',
      bytes: fixture('cloudflare', 'completions.json'),
    })
    expect(answer.reading).toMatchObject({ hasOutput: true, usage: { inputText: 14, outputText: 5 } })
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({ choices: [{ text: 'Rivers bring it.' }] })
    const { output, tap } = read(tapFor(cloudflare, 'completions'), [
      fixture('cloudflare', 'completions.sse'),
    ])
    expect(framesOf(output).map((chunk) => recordsAt(chunk, 'choices')[0]?.['text'])).toEqual([
      'Rivers',
      ' bring',
      ' it.',
    ])
    expect(tap.reading).toMatchObject({ isComplete: true, usage: { inputText: 14 } })
  })
})

/** Registers a test only for providers it applies to, so that the others are not reported as skipped. */
function only(applies: unknown): typeof it | (() => void) {
  return applies ? it : () => undefined
}

it('every provider has a fixture, and every fixture a provider', () => {
  expect(readdirSync(FIXTURES).sort()).toEqual(speaking.map((provider) => provider.id).sort())
})

function readExpected(id: string): Expected {
  const expected: Expected = JSON.parse(readFileSync(`${FIXTURES}${id}/expected.json`, 'utf8'))
  return expected
}

function fixture(id: string, name: string): Buffer {
  return readFileSync(`${FIXTURES}${id}/${name}`)
}

function has(id: string, name: string): boolean {
  return readdirSync(`${FIXTURES}${id}`).includes(name)
}

function upstreamOf(provider: Provider, expected: Expected): Upstream {
  return {
    channelId: 1,
    type: provider.type,
    baseUrl: provider.baseUrl ?? '',
    key: 'sk-test-1',
    other: '',
    organization: '',
    createdTime: 0,
    settings: defaultChannelSettings,
    ...expected.upstream,
  }
}

/** Returns the error reader that the relay uses for the provider's first call. */
function errorReaderOf(provider: Provider, { calls }: Expected): typeof readUpstreamError {
  const [first] = Object.entries(calls)
  const model = first?.[1].ask['model']
  const resolved =
    first &&
    resolveEndpoint(provider, operationNamed(first[0]), typeof model === 'string' ? model : undefined)
  return (resolved && codecOf(resolved.operation, resolved.endpoint.codec)?.readError) ?? readUpstreamError
}

function operationNamed(name: string): CallOperation {
  const operations = [
    'chat',
    'completions',
    'embeddings',
    'images',
    'image-edits',
    'moderations',
    'messages',
    'responses',
    'generate',
  ] as const
  const known = operations.find((each) => each === name)
  if (known === undefined) throw new Error(`${name} is no operation of the dialect`)
  return known
}

/** The conversion rules between a client and the provider's Messages endpoint. */
function pair(provider: Provider, asked: 'messages' | 'chat'): PairRules {
  const resolved = resolveEndpoint(provider, 'messages')
  if (resolved === undefined) throw new Error(`${provider.id} speaks no Messages`)
  const { readUsage } = resolved.endpoint
  const context = { model: 'm', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 1, wantsUsage: false }
  return { asked, caller: conversations[asked].caller, endpoint: 'messages', readUsage, context }
}

function replyIn(output: string, asked: 'messages' | 'chat') {
  const { upstream } = conversations[asked]
  const reader = upstream.openReader(upstream.readUsage)
  const collector = new ReplyCollector()
  for (const frame of new FrameReader().push(Buffer.from(output))) {
    for (const event of reader.push(frame)) collector.push(event)
  }
  return collector.reply()
}

function saidIn(output: string, asked: 'messages' | 'chat'): { text: string; reasoning: string } {
  const parts = replyIn(output, asked).choices[0]?.parts ?? []
  const joinedOf = (type: string) =>
    parts.flatMap((part) => (part.type === type && 'text' in part ? [part.text] : [])).join('')
  return { text: joinedOf('text'), reasoning: joinedOf('reasoning') }
}

interface Asked {
  readonly operation: CallOperation
  readonly ask: Record<string, unknown>
}

function attempt(provider: Provider, upstream: Upstream, { operation, ask: body }: Asked) {
  const ask = readAsk(operation, Buffer.from(JSON.stringify(body)))
  return {
    provider,
    upstream,
    operation,
    ask,
    model: ask.model,
    isStream: ask.isStream,
    query: new URLSearchParams(),
  }
}

function vectorsIn(bytes: Buffer): readonly unknown[] {
  const answer: unknown = JSON.parse(bytes.toString())
  return recordsAt(isRecord(answer) ? answer : {}, 'data').map(({ embedding }) => embedding)
}

function rules(provider: Provider, operation: OpenAiOperation, model?: string) {
  const endpoint = resolveEndpoint(provider, operation, model)?.endpoint
  if (endpoint === undefined) throw new Error(`${provider.id} does not speak ${operation}`)
  const { readUsage, adjustAnswer, adjustChunk } = endpoint
  return {
    readUsage,
    ...(provider.errorInside && { errorInside: provider.errorInside }),
    ...(adjustAnswer && { adjustAnswer }),
    ...(adjustChunk && { adjustChunk }),
  }
}

function tapFor(provider: Provider, operation: 'chat' | 'completions' = 'chat'): StreamTap {
  return openStreamTap({
    ...rules(provider, operation),
    operation,
    forwardsUsage: false,
    inputTokensCounted: 1,
  })
}

function read(tap: StreamTap, chunks: readonly Buffer[]): { tap: StreamTap; output: string } {
  const pieces = chunks.flatMap((chunk) => tap.push(chunk))
  return { tap, output: Buffer.concat([...pieces, ...tap.end()]).toString() }
}

interface CutReading {
  readonly step: number
  readonly whole: ReturnType<typeof read>
  readonly open: () => StreamTap
}

/** Where the bytes can be cut in two so that they are read differently; `step` is from one cut to the next. */
function cutsThatDiffer(bytes: Buffer, { step, whole, open }: CutReading): number[] {
  const differing: number[] = []
  for (let cut = 1; cut < bytes.length; cut += step) {
    const { output, tap } = read(open(), [bytes.subarray(0, cut), bytes.subarray(cut)])
    if (output !== whole.output || !isDeepStrictEqual(tap.reading, whole.tap.reading)) differing.push(cut)
  }
  return differing
}

function framesOf(output: string): Record<string, unknown>[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line): unknown => JSON.parse(line.slice('data: '.length)))
    .filter(isRecord)
}

/** Joins the text and the reasoning of a response, or of its chunks. */
function textOf(answers: readonly Record<string, unknown>[]): { text: string; reasoning: string } {
  const messages = answers
    .flatMap((answer) => recordsAt(answer, 'choices'))
    .map((choice) => recordAt(choice, 'delta') ?? recordAt(choice, 'message') ?? {})
  return { text: joined(messages, 'content'), reasoning: joined(messages, 'reasoning_content') }
}

function joined(messages: readonly Record<string, unknown>[], name: string): string {
  return messages
    .map((message) => message[name])
    .filter((part) => typeof part === 'string')
    .join('')
}

function said(expected: Expected, reading: ExpectedReading | undefined): { text: string; reasoning: string } {
  return { text: reading?.text ?? '', reasoning: expected.reasoning ?? '' }
}

function withoutRaw(usage: object | undefined): object | undefined {
  if (usage === undefined) return undefined
  return Object.fromEntries(Object.entries(usage).filter(([name]) => name !== 'raw'))
}
