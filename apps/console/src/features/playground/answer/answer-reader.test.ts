import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnswerEvent, createAnswerReader } from './answer-reader.ts'

const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const delta = (fields: object) => frame({ choices: [{ delta: fields }] })

const stream = [
  ': PING\n\n',
  delta({ role: 'assistant', content: '' }),
  delta({ reasoning_content: 'Let me think…' }),
  delta({ content: '你好, ' }),
  delta({ content: 'world' }),
  frame({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
  frame({
    choices: [],
    usage: {
      prompt_tokens: 12,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  }),
  'data: [DONE]\n\n',
].join('')

const events: AnswerEvent[] = [
  { type: 'reasoning-delta', text: 'Let me think…' },
  { type: 'text-delta', text: '你好, ' },
  { type: 'text-delta', text: 'world' },
  { type: 'finish', reason: 'stop' },
  {
    type: 'usage',
    usage: { inputTokens: 12, outputTokens: 5, cachedTokens: 4, reasoningTokens: 2, cost: undefined },
  },
  { type: 'done' },
]

function readAll(chunks: readonly string[]): AnswerEvent[] {
  const reader = createAnswerReader()
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()]
}

describe('createAnswerReader', () => {
  it('emits text, reasoning, finish, usage and done', () => {
    expect(readAll([stream])).toEqual(events)
  })

  it('emits the same events wherever the stream is split', () => {
    const cuts = fc.uniqueArray(fc.nat(stream.length), { maxLength: 40 })
    fc.assert(
      fc.property(cuts, (positions) => {
        const sorted = [0, ...positions.toSorted((left, right) => left - right), stream.length]
        const chunks = sorted.slice(1).map((end, index) => stream.slice(sorted[index], end))
        expect(readAll(chunks)).toEqual(events)
      }),
    )
  })

  it('emits done when the connection ends without an end marker', () => {
    expect(readAll([delta({ content: 'half' })])).toEqual([
      { type: 'text-delta', text: 'half' },
      { type: 'done' },
    ])
  })

  it('emits an error inside the stream as text, and nothing after it', () => {
    const failing =
      delta({ content: 'a' }) +
      frame({ error: { message: 'Upstream broke', code: 'x' } }) +
      delta({ content: 'b' })
    expect(readAll([failing])).toEqual([
      { type: 'text-delta', text: 'a' },
      { type: 'error', message: 'Upstream broke' },
    ])
  })

  it('ignores SSE events that it cannot read', () => {
    const odd = `data: not json\n\n${frame(null)}${frame({ choices: null })}${frame({ choices: [{ delta: 7 }] })}`
    expect(readAll([odd])).toEqual([{ type: 'done' }])
  })
})
