import { describe, expect, it } from 'vitest'
import type { Outgoing } from '../provider.ts'
import { fitThinking } from './thinking-rules.ts'
import { describeTurn } from './turn-key.ts'

function outgoing(model: string, body: Outgoing['body']): Outgoing {
  return { operation: 'chat', model, isStream: false, query: new URLSearchParams(), body }
}
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
const turn = { role: 'assistant', content: null, tool_calls: [call] }

describe('a turn with calls and without reasoning', () => {
  it.each([
    ['deepseek-v4-pro', ''],
    ['deepseek/deepseek-v4-flash', ''],
    ['kimi-k2.5', 'The reasoning of this turn was not kept.'],
    ['moonshotai/Kimi-K2-Thinking', 'The reasoning of this turn was not kept.'],
  ])('is filled for %s, and named', (model, filler) => {
    const { body, dropped } = fitThinking(outgoing(model, { messages: [turn] }))
    expect(body['messages']).toEqual([{ ...turn, reasoning_content: filler }])
    expect(dropped).toEqual(['reasoning_content'])
  })

  it.each([
    ['gpt-5.2', { messages: [turn] }],
    ['kimi-k2.5', { messages: [turn], thinking: { type: 'disabled' } }],
    [
      'kimi-k2.5',
      {
        messages: [
          { ...turn, reasoning_content: 'hm' },
          { role: 'assistant', content: 'x' },
        ],
      },
    ],
    ['deepseek-v4-pro', { messages: [{ ...turn, reasoning_content: '' }] }],
  ])('stays as it is for %s', (model, body) => {
    const asked = outgoing(model, body)
    expect(fitThinking(asked)).toBe(asked)
  })
})

describe('reasoning that was kept', () => {
  const other = { ...turn, tool_calls: [{ ...call, id: 'd' }] }

  it('stands where its turn was, and only the other turns are filled', () => {
    const asked = outgoing('kimi-k2.5', { messages: [turn, other] })
    const { unreasonedTurns = [] } = fitThinking(asked)
    const kept = new Map([[unreasonedTurns[0] ?? '', 'because']])
    const { body, dropped } = fitThinking(asked, kept)
    expect(body['messages']).toMatchObject([
      { reasoning_content: 'because' },
      { reasoning_content: 'The reasoning of this turn was not kept.' },
    ])
    expect(dropped).toEqual(['reasoning_content'])
    const whole = fitThinking(outgoing('kimi-k2.5', { messages: [turn] }), kept)
    expect(whole.dropped).toEqual([])
  })

  it.each([
    ['{"a":1, "b":[2]}', '{"a": 1,"b": [ 2 ]}', true],
    ['{"a":1}', '{"a":2}', false],
    ['not JSON', 'not  JSON', false],
  ])('of arguments %s is that of arguments %s: %s', (written, sent, isSame) => {
    const [kept, asked] = [written, sent].map((text) =>
      describeTurn([{ ...call, name: 'f', arguments: text }]),
    )
    expect(kept === asked).toBe(isSame)
  })
})

describe('a forced tool', () => {
  it.each(['required', { type: 'function', function: { name: 'f' } }])(
    'ends the thinking of DeepSeek V4 (%j)',
    (choice) => {
      const body = { messages: [turn], tool_choice: choice, reasoning_effort: 'high' }
      const sent = fitThinking(outgoing('deepseek-v4-pro', body))
      expect(sent.body).toEqual({ messages: [turn], tool_choice: choice, thinking: { type: 'disabled' } })
      expect(sent.dropped).toEqual(['reasoning_effort'])
    },
  )

  it('leaves thinking on where the model may choose', () => {
    const asked = outgoing('deepseek-v4-pro', { messages: [], tool_choice: 'auto' })
    expect(fitThinking(asked)).toBe(asked)
  })
})
