import { describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.ts'
import type { Conversation } from './conversation.ts'
import { keptConversation, readConversation } from './storage.ts'

const conversation: Conversation = [
  { role: 'user', id: 'q', text: 'Hi' },
  { role: 'assistant', id: 'a', state: 'incomplete', model: 'm', text: 'He', reasoning: '', startedMs: 1 },
]
const stored = JSON.parse(JSON.stringify(keptConversation(conversation, 7)))

describe('a kept conversation', () => {
  it('comes back with an interrupted answer stopped', () => {
    expect(readConversation(stored, 7)).toMatchObject([
      { id: 'q', text: 'Hi' },
      { id: 'a', state: 'stopped', text: 'He' },
    ])
  })

  it('keeps how many pictures there were, and not the pictures', () => {
    const [question] = keptConversation([{ role: 'user', id: 'q', text: '', images: ['data:x'] }], 7).messages
    expect(question).toMatchObject({ images: [''] })
  })

  it('is not shown to another user, and damaged it is empty', () => {
    expect(readConversation(stored, 8)).toEqual([])
    expect(readConversation({ userId: 7, messages: 'x' }, 7)).toEqual([])
    expect(readConversation(undefined, 7)).toEqual([])
  })
})

describe('kept settings', () => {
  it('are those of the product where nothing was kept', () => {
    expect(readSettings(undefined, 'Help.')).toEqual({
      model: 'gpt-4o-mini',
      group: '',
      temperature: 0,
      maxTokens: 0,
      systemPrompt: 'Help.',
      reconnects: false,
    })
  })

  it('keep an emptied system prompt and drop what is out of range', () => {
    const settings = readSettings({ systemPrompt: '', temperature: 9, maxTokens: -1, model: 'x' }, 'Help.')
    expect(settings).toMatchObject({ systemPrompt: '', temperature: 0, maxTokens: 0, model: 'x' })
  })
})
