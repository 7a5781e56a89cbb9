import { problem } from '@tollgate/problems/problem'
import { describe, expect, it } from 'vitest'
import { conversations, type ConversationOperation } from '../conversations.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import { openTap } from './open-tap.ts'

/** Nothing that only announces an answer reaches a caller before the answer. */

const DIALECTS = ['chat', 'messages', 'responses', 'generate'] as const
const context = { model: 'm', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 5, wantsUsage: true }

function tapOf(asked: ConversationOperation, endpoint: ConversationOperation = asked): StreamTap {
  const { readUsage } = conversations[endpoint].upstream
  return openTap({ asked, caller: conversations[asked].caller, endpoint, readUsage, context })
}

const usage = { input_tokens: 5, output_tokens: 1 }
const place = { item_id: 'i', output_index: 0, content_index: 0 }
const item = { id: 'i', type: 'message', role: 'assistant', content: [] }
const choice = (delta: object, finish_reason: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason }],
})

interface StreamParts {
  readonly announced: readonly object[]
  readonly content: object
  readonly failure: object
  readonly end: readonly object[]
}

const streams: Readonly<Record<ConversationOperation, StreamParts>> = {
  chat: {
    announced: [choice({ role: 'assistant', content: '' }), choice({ role: 'assistant', content: null })],
    content: choice({ content: 'Hi' }),
    failure: { error: { message: 'busy', type: 'service_unavailable_error' } },
    end: [choice({}, 'stop')],
  },
  messages: {
    announced: [
      { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    content: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    failure: { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
    end: [{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }, { type: 'message_stop' }],
  },
  responses: {
    announced: [
      { type: 'response.created', sequence_number: 0, response: { id: 'r', output: [] } },
      { type: 'response.in_progress', sequence_number: 1, response: { id: 'r', output: [] } },
      { type: 'response.output_item.added', sequence_number: 2, output_index: 0, item },
      { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '' } },
    ],
    content: { type: 'response.output_text.delta', ...place, delta: 'Hi' },
    failure: {
      type: 'response.failed',
      response: { id: 'r', status: 'failed', error: { code: 'server_error', message: 'busy' } },
    },
    end: [{ type: 'response.completed', response: { id: 'r', status: 'completed', output: [], usage } }],
  },
  generate: {
    announced: [
      { responseId: 'g', candidates: [{ index: 0, content: { role: 'model' } }] },
      { responseId: 'g', usageMetadata: { promptTokenCount: 5 } },
    ],
    content: { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] } }] },
    failure: { error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } },
    end: [{ candidates: [{ index: 0, content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] }],
  },
}

const bytes = (...events: readonly object[]) =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
const text = (frames: readonly Buffer[]) => Buffer.concat(frames).toString()

describe.each(DIALECTS.flatMap((asked) => DIALECTS.map((endpoint) => ({ asked, endpoint }))))(
  'a caller of $asked, a vendor of $endpoint',
  ({ asked, endpoint }) => {
    const { announced, content, failure, end } = streams[endpoint]

    it('has received nothing when an error follows in a later packet', () => {
      const tap = tapOf(asked, endpoint)
      for (const event of announced) expect(tap.push(bytes(event))).toEqual([])
      expect(tap.push(bytes(failure))).toEqual([])
      expect(tap.frames).toBe(0)
      expect(tap.reading.error).toMatchObject({ message: 'busy' })
      expect(tap.endEvent?.() ?? []).toEqual([])
    })

    it('has received nothing when the connection ends after the announcement', () => {
      const tap = tapOf(asked, endpoint)
      for (const event of announced) tap.push(bytes(event))
      expect([text(tap.end()), tap.frames]).toEqual(['', 0])
    })

    it('receives the same bytes as if all of it came in one packet', () => {
      const whole = tapOf(asked, endpoint)
      const apart = tapOf(asked, endpoint)
      const events = [...announced, content, ...end]
      const pieces = events.map((event) => text(apart.push(bytes(event))))
      expect(pieces.slice(0, announced.length).join('')).toBe('')
      expect(pieces[announced.length]).toContain('Hi')
      expect(pieces.join('') + text(apart.end())).toBe(text(whole.push(bytes(...events))) + text(whole.end()))
      expect(apart.frames).toBe(whole.frames)
    })

    it('receives the announcement when it is released, and what follows at once', () => {
      const tap = tapOf(asked, endpoint)
      for (const event of announced) tap.push(bytes(event))
      const released = text(tap.release?.() ?? [])
      if (asked === endpoint) expect(released).toContain(JSON.stringify(announced[0]))
      expect(tap.release?.()).toEqual([])
      expect(text(tap.push(bytes(content)))).toContain('Hi')
    })
  },
)

describe.each(DIALECTS)('a caller of %s', (asked) => {
  it('receives an announcement that is longer than half a megabyte', () => {
    const tap = tapOf(asked)
    const [first = {}] = streams[asked].announced
    const long = { ...first, padding: 'x'.repeat(600_000) }
    expect(text(tap.push(bytes(long)))).toContain('xxx')
    expect(tap.frames).toBe(1)
  })

  it('receives an answer that has no content, with its end', () => {
    const tap = tapOf(asked)
    const { announced, end } = streams[asked]
    const received = [...announced, ...end].map((event) => text(tap.push(bytes(event)))).join('')
    expect(received + text(tap.end())).toContain(JSON.stringify(announced[0]))
    expect(tap.reading.error).toBeUndefined()
  })
})

it('an error of the gateway after a held announcement has no state of the stream', () => {
  const tap = tapOf('responses')
  for (const event of streams.responses.announced) tap.push(bytes(event))
  const failed = text(tap.fail?.({ problem: problem('stream_broken'), requestId: 'q', language: 'en' }) ?? [])
  expect(failed).toContain('"sequence_number":0')
  expect(failed).not.toContain('response.failed')
})

// Frames without a type are left out of Messages.
describe.each(['chat', 'responses', 'generate'] as const)('a vendor that is asked in %s', (asked) => {
  it.each(DIALECTS.filter((other) => other !== asked))(
    'and answers in %s has its first frame passed as content',
    (other) => {
      const frame = bytes(streams[other].content)
      expect(text(tapOf(asked).push(frame))).toContain('Hi')
    },
  )
})
