import { expect, it } from 'vitest'
import type { Outgoing } from '../provider.ts'
import { fitTurnOrder } from './turn-order.ts'

const user = { role: 'user', content: 'x' }
const result = { role: 'tool', tool_call_id: 'c', content: 'r' }
const model = { role: 'assistant', content: 'so' }

function fit(messages: readonly object[], name = 'mistral-large-latest'): Outgoing {
  const body = { messages }
  return fitTurnOrder({ operation: 'chat', model: name, isStream: false, query: new URLSearchParams(), body })
}

it.each(['mistral-large-latest', 'mistralai/Devstral-Small-2', 'open-mixtral-8x7b', 'magistral-medium'])(
  '%s gets a turn between results and the user',
  (name) => {
    const { body, repairs } = fit([user, model, result, result, user], name)
    expect(body['messages']).toEqual([
      user,
      model,
      result,
      result,
      { role: 'assistant', content: 'Done.' },
      user,
    ])
    expect(repairs).toEqual(['bridged_turns'])
  },
)

it('a conversation that ends with the model gets an instruction to go on, unless it says that this is a beginning', () => {
  const { body, repairs } = fit([user, model])
  expect(body['messages']).toMatchObject([
    user,
    model,
    { role: 'user', content: expect.stringMatching(/^Continue/) },
  ])
  expect(repairs).toEqual(['continued_answer'])
  const beginning = [user, { ...model, prefix: true }]
  expect(fit(beginning).body['messages']).toBe(beginning)
  expect(() => fit([user, { role: 'assistant', content: '{' }])).toThrow(/forces the form/)
})

it.each([
  ['mistral-large-latest', [user, model, result]],
  ['mistral-large-latest', [user, model, result, model, user]],
  ['gpt-4o', [user, model, result, user, model]],
])('%s takes other conversations as they are', (name, messages) => {
  expect(fit(messages, name).body['messages']).toBe(messages)
})
