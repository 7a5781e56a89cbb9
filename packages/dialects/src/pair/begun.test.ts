import { describe, expect, it } from 'vitest'
import { conversations, type ConversationOperation } from '../conversations.ts'
import { inputTokens, outputTokens } from '../usage.ts'
import { openTap } from './open-tap.ts'

/**
 * When a stream counts as begun, so that a fallback upstream is no longer possible, and what is known of a
 * stream that ends without its last event.
 */

const context = { model: 'm', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 5, wantsUsage: true }
const callers = ['chat', 'messages', 'responses', 'generate'] as const

function received(asked: ConversationOperation, endpoint: ConversationOperation, frames: readonly object[]) {
  const { caller } = conversations[asked]
  const { readUsage } = conversations[endpoint].upstream
  const tap = openTap({ asked, caller, endpoint, readUsage, context })
  const bytes = Buffer.from(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''))
  const said = [...tap.push(bytes), ...tap.end()]
  return { ...tap.reading, frames: tap.frames, said: Buffer.concat(said).toString() }
}

const START = {
  type: 'message_start',
  message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 5, output_tokens: 1 } },
}
const BUSY = { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }

describe.each(callers.filter((each) => each !== 'messages'))('a %s caller, Claude upstream,', (asked) => {
  it('has received nothing after message_start, so a retry is possible', () => {
    expect(received(asked, 'messages', [START, BUSY])).toMatchObject({
      frames: 0,
      error: { message: 'busy' },
    })
  })
})

describe.each(callers.filter((each) => each !== 'generate'))('a %s caller, Gemini upstream,', (asked) => {
  it('has received nothing from a stream that contains only usage', () => {
    const frames = [{ usageMetadata: { promptTokenCount: 5 } }]
    expect(received(asked, 'generate', frames)).toMatchObject({
      frames: 0,
      error: { code: 'empty_response' },
    })
  })
})

it.each(callers)(
  'a Claude stream without message_stop costs a %s caller the usage reported so far',
  (asked) => {
    const { usage, isComplete } = received(asked, 'messages', [
      START,
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'one' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    ])
    expect([isComplete, usage && inputTokens(usage), usage && outputTokens(usage)]).toEqual([false, 5, 9])
  },
)

it.each(callers)('a plain error object in a Responses stream reaches a %s caller as an error', (asked) => {
  const error = { message: 'lost', type: 'server_error' }
  expect(received(asked, 'responses', [{ error }])).toMatchObject({ frames: 0, error: { message: 'lost' } })
})

const chunk = (content: unknown, finish: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
})

describe('content lists in a stream of chat completions', () => {
  const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]
  const frames = [chunk(thinking), chunk([{ type: 'text', text: 'Rome' }]), chunk('.', 'stop')]

  it.each(callers.filter((each) => each !== 'chat'))(
    'reach a %s caller with reasoning apart from text',
    (asked) => {
      const { said } = received(asked, 'chat', frames)
      expect(said).toContain('Hm.')
      expect(said).toContain('Rome')
      expect(said.indexOf('Hm.')).toBeLessThan(said.indexOf('Rome'))
    },
  )
})

describe("Gemini's signature of a tool call", () => {
  const signed = { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' }
  const answer = { candidates: [{ content: { parts: [signed] }, finishReason: 'STOP' }] }
  const extra = { extra_content: { google: { thought_signature: 'c2ln' } } }

  it('reaches a chat completions caller in the member that Google uses, and is sent back', () => {
    const { said } = received('chat', 'generate', [answer])
    expect(said).toContain(JSON.stringify(extra).slice(1, -1))
    const { caller } = conversations.chat
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' }, ...extra }
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', tool_calls: [call] },
    ]
    const asked = caller.readConversation({ model: 'gemini-3-pro-preview', messages }, {})
    const body = conversations.generate.upstream.writeRequest(asked, { outputTokensDefault: 1 })
    expect(JSON.stringify(body)).toContain('"thoughtSignature":"c2ln"')
  })

  it('is read from an upstream that sends it in the member Google uses', () => {
    const delta = { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' }, ...extra }] }
    const { said } = received('generate', 'chat', [{ choices: [{ delta, finish_reason: 'tool_calls' }] }])
    expect(said).toContain('"thoughtSignature":"c2ln"')
  })
})

describe('citations of Claude', () => {
  const citation = { type: 'web_search_result_location', url: 'https://a.test', title: 'A', cited_text: 'c' }
  const block = (index: number, text: string, cites: boolean) => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    ...(cites ? [{ type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } }] : []),
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index },
  ]
  const frames = [
    START,
    ...block(0, 'It says ', false),
    ...block(1, 'so there', true),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]

  it('become positions in the text for a chat completions caller, in a stream and in a whole response', () => {
    const place = '"title":"A","start_index":8,"end_index":16'
    expect(received('chat', 'messages', frames).said).toContain(place)
    const content = [
      { type: 'text', text: 'It says ' },
      { type: 'text', text: 'so there', citations: [citation] },
    ]
    const { caller } = conversations.chat
    const { upstream } = conversations.messages
    const read = upstream.readReply(
      { ...START.message, content, stop_reason: 'end_turn' },
      upstream.readUsage,
    )
    const reply = read.type === 'reply' ? caller.writeReply(read.reply, context) : {}
    expect(JSON.stringify(reply)).toContain(place)
  })
})

const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, reported: object) => ({ type: 'content_block_delta', index, delta: reported })
const stop = (index: number) => ({ type: 'content_block_stop', index })

describe('out-of-order events of Claude', () => {
  const end = [
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]
  const call = { type: 'tool_use', id: 't', name: 'f', input: {} }

  it('lose neither the text nor the tool call if both are interleaved', () => {
    const { said } = received('chat', 'messages', [
      START,
      start(0, { type: 'text', text: '' }),
      start(1, call),
      delta(1, { type: 'input_json_delta', partial_json: '{"a"' }),
      delta(0, { type: 'text_delta', text: 'on the way' }),
      stop(0),
      delta(1, { type: 'input_json_delta', partial_json: ':1}' }),
      stop(1),
      ...end,
    ])
    expect(said).toContain('"content":"on the way"')
    expect(said).toContain(String.raw`"arguments":":1}"`)
  })

  it('are kept if their block was never opened', () => {
    const { said } = received('chat', 'messages', [
      START,
      delta(0, { type: 'text_delta', text: 'hello' }),
      ...end,
    ])
    expect(said).toContain('"content":"hello"')
  })
})

it('arguments that are not JSON stay readable for a Messages caller', () => {
  const tool = { id: 'c', type: 'function', function: { name: 'f', arguments: '{bad' } }
  const answer = { choices: [{ message: { tool_calls: [tool] }, finish_reason: 'tool_calls' }] }
  const { upstream } = conversations.chat
  const read = upstream.readReply(answer, upstream.readUsage)
  const reply = read.type === 'reply' ? conversations.messages.caller.writeReply(read.reply, context) : {}
  expect(reply['content']).toMatchObject([{ type: 'tool_use', input: { input: '{bad' } }])
})
