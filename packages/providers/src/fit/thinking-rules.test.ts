import { describe, expect, it } from 'vitest'
import type { Outgoing } from '../provider.ts'
import { fitThinking } from './thinking-rules.ts'

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
