import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import { describe, expect, it } from 'vitest'
import { inAcceptedForm, withSystemPlacement } from './accepted-form.ts'

const messages = [
  { role: 'user', content: [{ type: 'text', text: 'hi' }] },
  { role: 'system', content: 'be brief' },
]

function outgoing(traits: ModelTraits) {
  const query = new URLSearchParams()
  return { operation: 'chat', model: 'm', isStream: false, query, traits, body: { messages } } as const
}

describe('messages of chat clients', () => {
  it('stay unchanged unless the channel requires another form', () => {
    const asked = outgoing({})
    expect(inAcceptedForm(asked)).toBe(asked)
  })

  it('become strings where the channel requires strings', () => {
    const { body } = inAcceptedForm(outgoing({ joinedTexts: true }))
    expect(body['messages']).toEqual([{ role: 'user', content: 'hi' }, messages[1]])
  })

  it('have their system messages first where the channel requires it', () => {
    const { body } = inAcceptedForm(outgoing({ systemMessages: 'hoisted' }))
    expect(body['messages']).toEqual([messages[1], messages[0]])
  })
})

it.each([
  ['https://api.openai.com', 'anywhere'],
  ['https://eu.api.openai.com/v1', 'anywhere'],
  ['https://mine.openai.azure.com', 'anywhere'],
  ['https://api.openai.com.example.net', 'reminders'],
  ['http://127.0.0.1:8000', 'reminders'],
  ['', 'reminders'],
])('a conversion to chat completions at %s places system messages as %s', (address, places) => {
  expect(withSystemPlacement({}, address).systemMessages).toBe(places)
  expect(withSystemPlacement({ systemMessages: 'hoisted' }, address).systemMessages).toBe('hoisted')
})
