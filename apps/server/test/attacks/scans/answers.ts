import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { UsageReader } from '@tollgate/dialects/dialect'
import { openTap } from '@tollgate/dialects/pair/open-tap'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { readWhole, readWholeAsStream } from '@tollgate/dialects/pair/read-whole'
import { providers } from '@tollgate/providers/index'
import { resolveEndpoint } from '@tollgate/providers/prepare/resolve-endpoint'
import { cached, type Scan } from '../growth.ts'

const DIALECTS: readonly ConversationOperation[] = ['chat', 'messages', 'responses', 'generate']

const context = { model: 'model', fallbackId: 'id', nowSeconds: 1, inputTokensCounted: 1, wantsUsage: true }

/** Usage reader of a provider for each dialect. */
const readers = new Map(DIALECTS.map((endpoint) => [endpoint, usageReaderOf(endpoint)]))

function usageReaderOf(endpoint: ConversationOperation): UsageReader {
  for (const provider of providers) {
    const resolved = resolveEndpoint(provider, endpoint)
    if (resolved?.operation === endpoint) return resolved.endpoint.readUsage
  }
  throw new Error(`nobody speaks ${endpoint}`)
}

function rulesOf(asked: ConversationOperation, endpoint: ConversationOperation): PairRules {
  const { caller } = conversations[asked]
  return { asked, caller, endpoint, readUsage: readers.get(endpoint) ?? (() => undefined), context }
}

const CHUNK = 16 * 1024
/** Chunk size in bytes of a slow network. */
const CRUMB = 700

function received(bytes: Buffer, rules: PairRules, step = CHUNK): Buffer[] {
  const tap = openTap(rules)
  const output: Buffer[] = []
  for (let at = 0; at < bytes.length; at += step)
    for (const piece of tap.push(bytes.subarray(at, at + step))) output.push(piece)
  for (const piece of tap.end()) output.push(piece)
  return output
}

const frame = (delta: object) =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta }] })}\n\n`
const piece = (index: number, text: string, isFirst = false) => ({
  tool_calls: [
    {
      index,
      ...(isFirst && { id: `call_${index}`, type: 'function' }),
      function: { ...(isFirst && { name: 'f' }), arguments: text },
    },
  ],
})
const END = `data: {"id":"a","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`

function filledWith(size: number, make: (at: number) => string): string {
  const sample = make(1)
  return Array.from({ length: Math.ceil(size / sample.length) }, (_, at) => make(at)).join('')
}

/** Streams in OpenAI's format. */
const streams: Readonly<Record<string, (size: number) => string>> = {
  'short texts': (size) => filledWith(size, () => frame({ content: 'hi' })) + END,
  'one long text': (size) =>
    frame({ content: 'a'.repeat(Math.min(size, 200_000)) }) +
    filledWith(size, () => frame({ content: 'hi' })) +
    END,
  'pieces of one call': (size) =>
    frame(piece(0, '{"a":"', true)) +
    filledWith(size, () => frame(piece(0, 'aaaa'))) +
    frame(piece(0, '"}')) +
    END,
  'pieces of one call that look whole': (size) =>
    frame(piece(0, '{"a":{}', true)) +
    filledWith(size, (at) => frame(piece(0, `,"b${at}":{}`))) +
    frame(piece(0, '}')) +
    END,
  'pieces of a call before others': (size) =>
    frame(piece(0, '{"a":"', true)) +
    frame(piece(1, '{}', true)) +
    filledWith(size, () => frame(piece(0, 'aa}'))) +
    frame(piece(0, '"}')) +
    END,
  'many calls': (size) => filledWith(size, (at) => frame(piece(at, '{"a":1}', true))) + END,
  'many calls that do not end': (size) => filledWith(size, (at) => frame(piece(at, '{"a":1', true))) + END,
  'texts between calls': (size) =>
    filledWith(size, (at) => frame(piece(at, '{', true)) + frame({ content: 'a' })) + END,
  thoughts: (size) =>
    filledWith(size, () => frame({ reasoning_content: 'hm' })) + frame({ content: 'hi' }) + END,
  'thoughts and texts in turn': (size) =>
    filledWith(size, () => frame({ reasoning_content: 'hm' }) + frame({ content: 'hi' })) + END,
  comments: (size) => filledWith(size, () => ': hi\n\n') + frame({ content: 'hi' }) + END,
  'empty lines': (size) => '\n'.repeat(size) + frame({ content: 'hi' }) + END,
  'a line without an end': (size) => `data: {"choices":[{"delta":{"content":"${'a'.repeat(size)}`,
  'empty events': (size) => filledWith(size, () => 'data: {}\n\n') + END,
  'events of other names': (size) => filledWith(size, () => 'event: ping\ndata: {"type":"ping"}\n\n') + END,
  'data in many lines': (size) => filledWith(size, () => 'data: 1\n') + '\n' + END,
}

const answer = (message: object) =>
  JSON.stringify({
    id: 'a',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  })
const whole = (at: number) => ({
  id: `call_${at}`,
  type: 'function',
  function: { name: 'f', arguments: '{"a":1}' },
})

/** Responses without streaming, in OpenAI's format. */
const wholes: Readonly<Record<string, (size: number) => string>> = {
  'a long text': (size) => answer({ content: 'a '.repeat(size / 2) }),
  'a text of thinking marks': (size) => answer({ content: '<think>'.repeat(size / 7) }),
  'many calls': (size) =>
    answer({ content: null, tool_calls: Array.from({ length: size / 80 }, (_, at) => whole(at)) }),
  'long arguments': (size) =>
    answer({
      content: null,
      tool_calls: [{ ...whole(0), function: { name: 'f', arguments: `{"a":"${'a'.repeat(size)}"}` } }],
    }),
  'parts of text': (size) =>
    answer({ content: Array.from({ length: size / 30 }, () => ({ type: 'text', text: 'hi' })) }),
  'many notes': (size) =>
    answer({
      content: 'hi',
      annotations: Array.from({ length: size / 100 }, (_, at) => ({
        type: 'url_citation',
        url_citation: { url: `https://a.example/${at}`, title: 't', start_index: 0, end_index: 1 },
      })),
    }),
}

export interface AnswerGroup {
  readonly name: string
  readonly scans: () => readonly Scan<Buffer>[]
}

/** Every expensive response, from an upstream of every dialect to a caller of every dialect. */
export function answerScans(): readonly AnswerGroup[] {
  const ofStreams = Object.entries(streams).flatMap(([name, make]) =>
    DIALECTS.map((endpoint) => ({
      name: `stream of ${name} by ${endpoint}`,
      scans: () => {
        const input = cached((size: number) => {
          const bytes = Buffer.from(make(size))
          return endpoint === 'chat' ? bytes : Buffer.concat(received(bytes, rulesOf(endpoint, 'chat')))
        })
        return DIALECTS.flatMap((asked): Scan<Buffer>[] => {
          const rules = rulesOf(asked, endpoint)
          return [
            { name: `to ${asked}`, input, run: (bytes) => received(bytes, rules) },
            { name: `to ${asked}, in crumbs`, input, run: (bytes) => received(bytes, rules, CRUMB) },
            {
              name: `to ${asked}, collected`,
              input,
              run: (bytes) => readWhole(bytes, { ...rules, isCollected: true }),
            },
          ]
        })
      },
    })),
  )
  const ofWholes = Object.entries(wholes).flatMap(([name, make]) =>
    DIALECTS.map((endpoint) => ({
      name: `answer of ${name} by ${endpoint}`,
      scans: () => {
        const input = cached((size: number) => {
          const bytes = Buffer.from(make(size))
          return endpoint === 'chat' ? bytes : readWhole(bytes, rulesOf(endpoint, 'chat')).bytes
        })
        return DIALECTS.flatMap((asked): Scan<Buffer>[] => {
          const rules = rulesOf(asked, endpoint)
          return [
            { name: `to ${asked}`, input, run: (bytes) => readWhole(bytes, rules) },
            { name: `to ${asked}, as a stream`, input, run: (bytes) => readWholeAsStream(bytes, rules) },
          ]
        })
      },
    })),
  )
  return [...ofStreams, ...ofWholes]
}
