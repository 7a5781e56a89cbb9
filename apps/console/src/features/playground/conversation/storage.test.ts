import { describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.ts'
import type { Conversation } from './conversation.ts'
import { storableConversation, readConversation } from './storage.ts'

const conversation: Conversation = [
  { role: 'user', id: 'q', text: 'Hi' },
  { role: 'assistant', id: 'a', state: 'incomplete', model: 'm', text: 'He', reasoning: '', startedMs: 1 },
]
const stored = JSON.parse(JSON.stringify(storableConversation(conversation, 7)))

describe('a stored conversation', () => {
  it('marks an interrupted answer as stopped when it is restored', () => {
    expect(readConversation(stored, 7)).toMatchObject([
      { id: 'q', text: 'Hi' },
      { id: 'a', state: 'stopped', text: 'He' },
    ])
  })

  it('stores the number of images, but not the images', () => {
    const [question] = storableConversation(
      [{ role: 'user', id: 'q', text: '', images: ['data:x'] }],
      7,
    ).messages
    expect(question).toMatchObject({ images: [''] })
  })

  it('is not shown to another user, and is empty if it is invalid', () => {
    expect(readConversation(stored, 8)).toEqual([])
    expect(readConversation({ userId: 7, messages: 'x' }, 7)).toEqual([])
    expect(readConversation(undefined, 7)).toEqual([])
  })
})

describe('stored settings', () => {
  it('default to the built-in values when nothing was stored', () => {
    expect(readSettings(undefined, 'Help.')).toEqual({
      model: 'gpt-4o-mini',
      group: '',
      temperature: 0,
      maxTokens: 0,
      systemPrompt: 'Help.',
      reconnects: false,
    })
  })

  it('keep an emptied system prompt and drop values out of range', () => {
    const settings = readSettings({ systemPrompt: '', temperature: 9, maxTokens: -1, model: 'x' }, 'Help.')
    expect(settings).toMatchObject({ systemPrompt: '', temperature: 0, maxTokens: 0, model: 'x' })
  })
})
