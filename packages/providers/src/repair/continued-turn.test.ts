import { expect, it } from 'vitest'
import type { Outgoing } from '../provider.ts'
import { withContinuedTurn } from './continued-turn.ts'

function outgoing(last: object, model = 'claude-sonnet-5'): Outgoing {
  const messages = [{ role: 'user', content: 'x' }, last]
  return { operation: 'messages', model, isStream: false, query: new URLSearchParams(), body: { messages } }
}

it.each([
  [{ role: 'assistant', content: 'I was cut' }],
  [{ role: 'assistant', content: [{ type: 'text', text: 'I was cut' }] }],
  [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] }],
])('after %j a model without prefill gets an instruction to continue', (last) => {
  const { body, repairs } = withContinuedTurn(outgoing(last))
  expect(body['messages']).toMatchObject([
    {},
    last,
    { role: 'user', content: expect.stringMatching(/^Continue/) },
  ])
  expect(repairs).toEqual(['continued_answer'])
})

it.each(['{', '```json', '<answer>'])('%j as a forced form is refused in words', (text) => {
  expect(() => withContinuedTurn(outgoing({ role: 'assistant', content: text }))).toThrow(/forces the form/)
  const blocks = [{ type: 'text', text }]
  expect(() => withContinuedTurn(outgoing({ role: 'assistant', content: blocks }))).toThrow(/forces the form/)
})

it.each<[Outgoing]>([
  [outgoing({ role: 'assistant', content: '{' }, 'claude-sonnet-4-5')],
  [outgoing({ role: 'user', content: '{' })],
  [outgoing({ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] })],
])('%# other requests stay the same', (request) => {
  expect(withContinuedTurn(request)).toBe(request)
})
