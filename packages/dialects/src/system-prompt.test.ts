import { describe, expect, it } from 'vitest'
import { readAsk } from './ask.ts'
import type { ConversationOperation } from './conversations.ts'
import { withSystemPrompt } from './system-prompt.ts'

const user = { role: 'user', content: 'hi' }
const contents = [{ parts: [{ text: 'hi' }] }]
const blocks = [{ type: 'text', text: 'own' }]

function said(operation: ConversationOperation, body: object, goesFirst: boolean) {
  const ask = readAsk(operation, Buffer.from(JSON.stringify({ model: 'm', ...body })), { pathModel: 'm' })
  const { ask: changed, isOverwritten } = withSystemPrompt(operation, ask, { text: 'house', goesFirst })
  return { isSame: changed === ask, body: changed.body, model: changed.model, isOverwritten }
}

describe('the system prompt of a channel', () => {
  it.each<[ConversationOperation, object, object]>([
    ['chat', { messages: [user] }, { messages: [{ role: 'system', content: 'house' }, user] }],
    ['messages', { messages: [user] }, { system: 'house' }],
    ['responses', { input: 'hi' }, { instructions: 'house' }],
    ['generate', { contents }, { systemInstruction: { parts: [{ text: 'house' }] } }],
  ])('an operator’s prompt is added where the caller sent none: %s', (operation, body, expected) => {
    for (const goesFirst of [true, false])
      expect(said(operation, body, goesFirst)).toMatchObject({
        body: expected,
        model: 'm',
        isOverwritten: false,
      })
  })

  it.each<[ConversationOperation, object, object]>([
    [
      'chat',
      { messages: [user, { role: 'developer', content: 'own' }] },
      { messages: [user, { role: 'developer', content: 'house\nown' }] },
    ],
    [
      'chat',
      { messages: [{ role: 'system', content: blocks }, user] },
      { messages: [{ role: 'system', content: [{ type: 'text', text: 'house' }, ...blocks] }, user] },
    ],
    ['messages', { system: 'own', messages: [user] }, { system: 'house\nown' }],
    [
      'messages',
      { system: blocks, messages: [user] },
      { system: [{ type: 'text', text: 'house' }, ...blocks] },
    ],
    ['responses', { input: 'hi', instructions: 'own' }, { instructions: 'house\nown' }],
    ['responses', { input: [{ role: 'system', content: 'own' }] }, { instructions: 'house' }],
    [
      'generate',
      { contents, system_instruction: { parts: [{ text: 'own' }] } },
      { system_instruction: { parts: [{ text: 'house' }, { text: 'own' }] } },
    ],
  ])(
    'an operator’s prompt precedes the caller’s where it goes first, and is left out where not: %s %j',
    (operation, body, expected) => {
      expect(said(operation, body, true)).toMatchObject({ body: expected, isOverwritten: true })
      expect(said(operation, body, false).isSame).toBe(true)
    },
  )

  it('leaves every other byte unchanged', () => {
    const bytes = Buffer.from('{"model":"m", "temperature":1.0,"messages":[{"role":"user","content":"hi"}]}')
    const { ask } = withSystemPrompt('chat', readAsk('chat', bytes), { text: 'house', goesFirst: false })
    expect(ask.bytes.toString()).toContain('"model":"m", "temperature":1.0,')
  })

  it('is not added to a request that is not a conversation', () => {
    const ask = readAsk('embeddings', Buffer.from('{"model":"m","input":"a"}'))
    expect(withSystemPrompt('embeddings', ask, { text: 'house', goesFirst: true }).ask).toBe(ask)
  })
})
