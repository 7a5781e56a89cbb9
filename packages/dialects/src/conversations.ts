import { anthropicCaller, anthropicUpstream } from './anthropic/codec.ts'
import type { CallerDialect, NamedCodec, UpstreamCodec, UpstreamDialect } from './canonical/codec.ts'
import { geminiCaller, geminiUpstream } from './gemini/codec.ts'
import { openaiCaller, openaiUpstream } from './openai/chat/codec.ts'
import type { MediaOperation } from './media/operation.ts'
import type { OpenAiOperation } from './openai/operation.ts'
import { responsesCaller, responsesUpstream } from './responses/codec.ts'
import type { VectorOperation } from './vectors/pair.ts'

/**
 * Conversation operations. Each one is a dialect, and a caller of any of them can reach the upstreams of all
 * others.
 */
export const conversations = {
  chat: { caller: openaiCaller, upstream: openaiUpstream },
  messages: { caller: anthropicCaller, upstream: anthropicUpstream },
  responses: { caller: responsesCaller, upstream: responsesUpstream },
  generate: { caller: geminiCaller('sse'), upstream: geminiUpstream },
} as const satisfies Record<string, { readonly caller: CallerDialect; readonly upstream: UpstreamDialect }>

export type ConversationOperation = keyof typeof conversations

/** Operations that a caller may request. */
export type CallOperation =
  | OpenAiOperation
  | ConversationOperation
  | VectorOperation
  | MediaOperation
  | 'realtime'

/** Operations that an upstream may support; `own` is a conversation in a vendor's private format. */
export type UpstreamOperation = CallOperation | 'own'

export function isConversation(operation: string): operation is ConversationOperation {
  return Object.hasOwn(conversations, operation)
}

/**
 * Returns the codec for an upstream operation: the vendor's own codec if it has one, otherwise that of the
 * dialect.
 */
export function codecOf(endpoint: UpstreamOperation, own?: UpstreamCodec): NamedCodec | undefined {
  return own ?? (isConversation(endpoint) ? conversations[endpoint].upstream : undefined)
}

/** Upstream operations that can serve a caller's operation; the one that needs no conversion comes first. */
export function upstreamOperations(operation: CallOperation): readonly UpstreamOperation[] {
  if (isConversation(operation)) return waysOf[operation]
  return operation === 'embed' || operation === 'embeddings' ? vectorWays[operation] : [operation]
}

const vectorWays: Readonly<Record<VectorOperation, readonly VectorOperation[]>> = {
  embeddings: ['embeddings', 'embed'],
  embed: ['embed', 'embeddings'],
}

const waysOf: Readonly<Record<ConversationOperation, readonly UpstreamOperation[]>> = {
  chat: ['chat', 'messages', 'generate', 'responses', 'own'],
  messages: ['messages', 'chat', 'generate', 'responses', 'own'],
  responses: ['responses', 'chat', 'messages', 'generate', 'own'],
  generate: ['generate', 'chat', 'messages', 'responses', 'own'],
}
