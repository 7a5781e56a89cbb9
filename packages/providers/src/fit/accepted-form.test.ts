import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import { describe, expect, it } from 'vitest'
import { traitsOf } from '@tollgate/dialects/traits/lookup'
import { inAcceptedForm, withRoleOfHost, withSystemPlacement } from './accepted-form.ts'

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

describe('the role of instructions', () => {
  const instructions = [
    { role: 'system', content: 'a' },
    { role: 'system', content: 'b' },
  ]
  const openAi = { provider: {}, address: 'https://api.openai.com' }

  function roles(traits: ModelTraits, host: Parameters<typeof withRoleOfHost>[1], first = 'system'): unknown {
    const sent = [{ role: first, content: 'a' }, ...instructions.slice(1)]
    const { messages: written } = withRoleOfHost({ ...outgoing(traits), body: { messages: sent } }, host).body
    return Array.isArray(written) && written.map((message: { role: string }) => message.role)
  }

  it.each([
    ['o1', 'developer'],
    ['o3-mini', 'developer'],
    ['gpt-5', 'developer'],
    ['o1-mini', 'system'],
    ['o1-preview', 'system'],
    ['gpt-4o', 'system'],
    ['gpt-5-chat-latest', 'system'],
  ])('of %s is %s for the first message at hosts of its vendor', (model, role) => {
    expect(roles(traitsOf(model), openAi)).toEqual([role, 'system'])
    const azure = { provider: { hostsOpenAi: true }, address: 'https://models.example.com' }
    expect(roles(traitsOf(model), azure)).toEqual([role, 'system'])
  })

  it.each([
    'https://relay.example.com/v1',
    'https://api.openai.com.example.com',
    'http://127.0.0.1:8000',
    '',
  ])('is system for every model at %s', (address) => {
    for (const model of ['o1', 'gpt-5', 'gpt-6-new', 'deepseek-chat', 'unknown'])
      for (const first of ['system', 'developer'])
        expect(roles(traitsOf(model), { provider: {}, address }, first)).toEqual(['system', 'system'])
  })

  it('is what the operator or a lesson says, at every host', () => {
    for (const host of [openAi, { provider: {}, address: 'https://relay.example.com' }]) {
      expect(roles({ ...traitsOf('gpt-5'), systemRole: 'system' }, host, 'developer')).toEqual([
        'system',
        'system',
      ])
      expect(roles({ ...traitsOf('gpt-4o'), systemRole: 'developer' }, host)).toEqual(['developer', 'system'])
    }
  })
})
