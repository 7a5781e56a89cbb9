import { afterEach, describe, expect, it, vi } from 'vitest'
import { conversations, type ConversationOperation } from '../conversations.ts'
import { openTap } from './open-tap.ts'

/**
 * Streams passed to callers of the same dialect. Their contents are tested in the conformance suite of the
 * providers.
 */

const WORDS = 200

function frames(operation: ConversationOperation): string[] {
  if (operation === 'generate') return geminiFrames()
  return operation === 'messages' ? messageFrames() : responseFrames()
}

const named = (type: string, members: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
const words = Array.from({ length: WORDS }, (_, index) => ` word${index}`)

function responseFrames(): string[] {
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const item = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
  const content = [{ type: 'output_text', text: words.join(''), annotations: [] }]
  const usage = { input_tokens: 9, output_tokens: 400, total_tokens: 409 }
  const response = { id: 'r', status: 'completed', output: [{ ...item, content }], usage }
  return [
    named('response.created', { response: { id: 'r', status: 'in_progress', output: [] } }),
    named('response.output_item.added', { output_index: 0, item }),
    ...words.map((delta) => named('response.output_text.delta', { ...place, delta })),
    named('response.output_text.done', { ...place, text: words.join('') }),
    named('response.output_item.done', { output_index: 0, item: { ...item, content } }),
    named('response.completed', { response }),
  ]
}

function fragment(text: string, rest: object = {}): string {
  const candidate = { content: { parts: [{ text }], role: 'model' }, index: 0, ...rest }
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 400 }
  return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion: 'm', responseId: 'r' })}\n\n`
}

function geminiFrames(): string[] {
  return [...words.map((word) => fragment(word)), fragment('', { finishReason: 'STOP' })]
}

function messageFrames(): string[] {
  const usage = { input_tokens: 9, output_tokens: 1 }
  return [
    named('message_start', {
      message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm', usage },
    }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...words.map((text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 400 } }),
    named('message_stop', {}),
  ]
}

function tapFor(asked: ConversationOperation) {
  const { caller, upstream } = conversations[asked]
  const context = { model: 'm', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 1, wantsUsage: true }
  return openTap({ asked, caller, endpoint: asked, readUsage: upstream.readUsage, context })
}

afterEach(() => vi.restoreAllMocks())

describe.each(['responses', 'generate', 'messages'] as const)('a %s stream', (asked) => {
  it('passes unchanged, and few of its frames are parsed', () => {
    const parse = vi.spyOn(JSON, 'parse')
    const tap = tapFor(asked)
    const text = frames(asked).join('')
    const output = Buffer.concat([...tap.push(Buffer.from(text)), ...tap.end()])
    expect(output.toString()).toBe(text)
    expect(parse.mock.calls.length).toBeLessThan(12)
    expect(tap.frames).toBe(frames(asked).length)
    expect(tap.reading).toMatchObject({
      isComplete: true,
      finish: { reason: 'stop' },
      usage: { outputText: 400 },
    })
  })

  it('is counted on the way, about as accurately as by parsing all of it', () => {
    const tap = tapFor(asked)
    for (const frame of frames(asked).slice(0, WORDS / 2)) tap.push(Buffer.from(frame))
    expect(tap.reading.outputTokensCounted).toBeGreaterThan(WORDS / 4)
    expect(tap.reading.outputTokensCounted).toBeLessThan(WORDS * 2)
    expect(tap.reading).toMatchObject({ hasOutput: true, isComplete: false })
  })

  it('that the gateway ends early gets a proper end after whole frames', () => {
    const tap = tapFor(asked)
    const begun = frames(asked).slice(0, 50).join('')
    const output = Buffer.concat([...tap.push(Buffer.from(begun)), ...tap.cut()]).toString()
    expect(output.startsWith(begun)).toBe(true)
    const ending = output.slice(begun.length)
    const says = { responses: 'response.incomplete', generate: 'MAX_TOKENS', messages: 'max_tokens' }
    expect(ending).toContain(says[asked])
  })
})

it('a Gemini tool call is read even after many text frames', () => {
  const tap = tapFor('generate')
  const call = { functionCall: { name: 'weather', args: { city: 'Paris' } } }
  const candidate = { content: { parts: [call], role: 'model' }, index: 0, finishReason: 'STOP' }
  for (const frame of geminiFrames().slice(0, 3)) tap.push(Buffer.from(frame))
  tap.push(Buffer.from(`data: ${JSON.stringify({ candidates: [candidate] })}\n\n`))
  tap.end()
  expect(tap.reading).toMatchObject({ isComplete: true, finish: { reason: 'tool_calls' } })
})

it('an error between text frames is detected', () => {
  const tap = tapFor('generate')
  for (const frame of geminiFrames().slice(0, 3)) tap.push(Buffer.from(frame))
  tap.push(Buffer.from('data: {"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}\n\n'))
  expect(tap.reading.error).toMatchObject({ status: 503 })
})

describe.each(['responses', 'messages'] as const)('event lines in a %s stream', (asked) => {
  const text = frames(asked).slice(0, 8).join('')

  it('are sent together with their data and never before it, wherever the bytes are cut', () => {
    for (let cut = 1; cut < text.length; cut++) {
      const tap = tapFor(asked)
      const begun = Buffer.concat([...tap.push(Buffer.from(text.slice(0, cut)))]).toString()
      expect(begun).not.toMatch(/event: [^\n]*\n?$/)
      const rest = Buffer.concat([...tap.push(Buffer.from(text.slice(cut)))]).toString()
      expect(begun + rest).toBe(text)
    }
  })

  it('are added if the upstream omitted them, and dropped if they have no data', () => {
    const [first = '', ...others] = frames(asked).slice(0, 8)
    const nameless = others.map((frame) => frame.slice(frame.indexOf('\n') + 1))
    const lonely = 'event: nothing\nid: 7\n\n'
    for (const size of [1, 7, 10_000]) {
      const tap = tapFor(asked)
      const bytes = Buffer.from([first, lonely, ...nameless].join(''))
      const output: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size) output.push(...tap.push(bytes.subarray(at, at + size)))
      expect(Buffer.concat(output).toString()).toBe(text)
    }
  })
})
