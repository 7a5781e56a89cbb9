import { describe, expect, it } from 'vitest'
import { conversations, type ConversationOperation } from '../conversations.ts'
import type { NamingRule } from './answer-name.ts'
import { openTap } from './open-tap.ts'

/** The caller's name stands in every event that names a model, wherever the bytes of a stream are cut. */

const DIALECTS = ['chat', 'messages', 'responses', 'generate'] as const
const context = { model: 'mine', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 5, wantsUsage: true }
const VENDORS = 'vendor/real'
/** What looks like a name within texts, arguments and other objects is none. */
const WORDS = 'says "model":"vendor/real" and ,"modelVersion":"vendor/real"}'
const nested = { model: VENDORS, modelVersion: VENDORS }
const usage = { input_tokens: 1, output_tokens: 1 }

const chunk = (delta: object, more: object = {}) => ({
  id: 'c1',
  provider: nested,
  model: VENDORS,
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
})
const response = (status: string) => ({ id: 'r', meta: nested, status, model: VENDORS, output: [], usage })
const place = { item_id: 'i', output_index: 0, content_index: 0 }
const fragment = (text: string, more: object = {}) => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [{ functionCall: { name: 'f', args: nested } }, { text }] },
    },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
  modelVersion: VENDORS,
  responseId: 'g',
  ...more,
})

const streams: Readonly<Record<ConversationOperation, readonly object[]>> = {
  chat: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: WORDS }),
    chunk({ content: 'ö' }),
    chunk({ content: 'one more' }, { id: 'c2' }),
    chunk({ content: 'without a name' }, { model: undefined }),
    { id: 'c1', provider: nested, model: VENDORS, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
  messages: [
    { type: 'message_start', message: { id: 'm', meta: nested, model: VENDORS, content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORDS } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ],
  responses: [
    { type: 'response.created', response: response('in_progress') },
    { type: 'response.output_text.delta', ...place, delta: WORDS },
    { type: 'response.output_text.delta', ...place, delta: 'ö' },
    { type: 'response.completed', response: response('completed') },
  ],
  generate: [
    fragment(WORDS),
    fragment('ö'),
    fragment('other order', { createTime: '2026-11-30T00:00:00Z' }),
    {
      ...fragment('end'),
      candidates: [{ index: 0, content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
    },
  ],
}

function written(events: readonly object[], newline: string, asked: ConversationOperation): Buffer {
  const done = asked === 'chat' ? `data: [DONE]${newline}${newline}` : ''
  const lines = events.map((event) => {
    const name = 'type' in event ? `event: ${String(event.type)}${newline}` : ''
    return `${name}data: ${JSON.stringify(event)}${newline}${newline}`
  })
  return Buffer.from(lines.join('') + done)
}

function passed(
  asked: ConversationOperation,
  bytes: Buffer,
  answerModel: NamingRule | undefined,
  size: number,
) {
  const { caller, upstream } = conversations[asked]
  const named = answerModel !== undefined && { answerModel }
  const tap = openTap({ asked, caller, endpoint: asked, readUsage: upstream.readUsage, context, ...named })
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(...tap.push(bytes.subarray(at, at + size)))
  return Buffer.concat([...pieces, ...tap.end()]).toString()
}

/** The same events with the caller's name where each dialect names its model. */
function renamed(asked: ConversationOperation, name = 'mine'): readonly object[] {
  return streams[asked].map((event) => {
    const copy = structuredClone(event)
    const holders = [copy, Reflect.get(copy, 'message'), Reflect.get(copy, 'response')]
    for (const holder of holders)
      for (const member of ['model', 'modelVersion']) if (holder?.[member] === VENDORS) holder[member] = name
    return copy
  })
}

const rule = (served: string) => (served === VENDORS ? 'mine' : undefined)

describe.each(DIALECTS.flatMap((asked) => ['\n', '\r\n'].map((newline) => ({ asked, newline }))))(
  'a mapped stream of $asked with $newline',
  ({ asked, newline }) => {
    const bytes = written(streams[asked], newline, asked)
    const sizes = [1, 2, 3, 5, 7, 11, 31, 64, 100, 150, 251, 400, 1000, bytes.length]

    it.each(sizes)('carries the name of the caller in pieces of %s bytes', (size) => {
      const expected = passed(asked, written(renamed(asked), newline, asked), undefined, size)
      expect(passed(asked, bytes, 'mine', size)).toBe(expected)
      expect(passed(asked, bytes, 'a name that is "longer" 🌤', size)).toBe(
        passed(asked, written(renamed(asked, 'a name that is "longer" 🌤'), newline, asked), undefined, size),
      )
    })

    it.each(sizes)('follows a rule by the model that served, in pieces of %s bytes', (size) => {
      expect(passed(asked, bytes, rule, size)).toBe(passed(asked, bytes, 'mine', size))
      expect(passed(asked, bytes, () => undefined, size)).toBe(passed(asked, bytes, undefined, size))
    })
  },
)
