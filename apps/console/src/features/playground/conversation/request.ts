import type { PlaygroundSettings } from '../settings/settings.ts'
import type { Conversation, PlaygroundMessage, UserMessage } from './conversation.ts'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly ContentPart[]
}

type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

export interface ChatRequest {
  readonly model: string
  /** Absent: the user's own group. */
  readonly group?: string
  readonly messages: readonly ChatMessage[]
  readonly stream: true
  readonly stream_options: { readonly include_usage: true }
  readonly temperature?: number
  readonly max_tokens?: number
}

/**
 * The body of a playground request. A temperature or length of 0 means "the model's own default" and is not
 * sent.
 */
export function chatRequest(settings: PlaygroundSettings, conversation: Conversation): ChatRequest {
  const system = settings.systemPrompt.trim()
  return {
    model: settings.model,
    group: settings.group || undefined,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      ...conversation.flatMap(chatMessage),
    ],
    stream: true,
    stream_options: { include_usage: true },
    temperature: settings.temperature || undefined,
    max_tokens: settings.maxTokens || undefined,
  }
}

/** Failed and empty answers are left out of the context; reasoning is never sent back. */
function chatMessage(message: PlaygroundMessage): ChatMessage[] {
  if (message.role === 'user') return [{ role: 'user', content: questionContent(message) }]
  if (message.text === '') return []
  return [{ role: 'assistant', content: message.text }]
}

/** An image that the browser did not store is not sent. */
function questionContent({ text, images = [] }: UserMessage): ChatMessage['content'] {
  const kept = images.filter((url) => url !== '')
  if (kept.length === 0) return text
  return [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...kept.map((url) => ({ type: 'image_url', image_url: { url } }) as const),
  ]
}
