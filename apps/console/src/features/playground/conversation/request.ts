import type { PlaygroundSettings } from '../settings/settings.ts'
import type { Conversation, Message } from './conversation.ts'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface ChatRequest {
  readonly model: string
  /** Missing: the user's own group. */
  readonly group?: string
  readonly messages: readonly ChatMessage[]
  readonly stream: true
  readonly stream_options: { readonly include_usage: true }
  readonly temperature?: number
  readonly max_tokens?: number
}

/** The body of a playground call. Zero for temperature and length means "the model's own default" and is not sent. */
export function chatRequest(settings: PlaygroundSettings, conversation: Conversation): ChatRequest {
  const system = settings.systemPrompt.trim()
  return {
    model: settings.model,
    ...(settings.group !== '' && { group: settings.group }),
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      ...conversation.flatMap(chatMessage),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(settings.temperature > 0 && { temperature: settings.temperature }),
    ...(settings.maxTokens > 0 && { max_tokens: settings.maxTokens }),
  }
}

/** What failed or said nothing is no part of the context; reasoning is never sent back. */
function chatMessage(message: Message): ChatMessage[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }]
  if (message.text === '') return []
  return [{ role: 'assistant', content: message.text }]
}
