import { anthropicCaller, anthropicUpstream } from './anthropic/codec.ts'
import type { CallerDialect, NamedCodec, UpstreamCodec, UpstreamDialect } from './canonical/codec.ts'
import { geminiCaller, geminiUpstream } from './gemini/codec.ts'
import { openaiCaller, openaiUpstream } from './openai/chat/codec.ts'
import type { MediaOperation } from './media/operation.ts'
import type { OpenAiOperation } from './openai/operation.ts'
import { responsesCaller, responsesUpstream } from './responses/codec.ts'
import type { VectorOperation } from './vectors/pair.ts'

/** Operations that are conversations: each is a dialect, and every caller of one reaches upstreams of every other. */
export const conversations = {
  chat: { caller: openaiCaller, upstream: openaiUpstream },
  messages: { caller: anthropicCaller, upstream: anthropicUpstream },
  responses: { caller: responsesCaller, upstream: responsesUpstream },
  generate: { caller: geminiCaller('sse'), upstream: geminiUpstream },
} as const satisfies Record<string, { readonly caller: CallerDialect; readonly upstream: UpstreamDialect }>

export type ConversationOperation = keyof typeof conversations

/** What a caller may ask for. */
export type CallOperation =
  | OpenAiOperation
  | ConversationOperation
  | VectorOperation
  | MediaOperation
  | 'realtime'

/** What an upstream may be asked for; `own` is a conversation in a format that one vendor alone has. */
export type UpstreamOperation = CallOperation | 'own'

export function isConversation(operation: string): operation is ConversationOperation {
  return Object.hasOwn(conversations, operation)
}

/** How a conversation is written and read there: in its own way, or as the dialect has it. */
export function codecOf(endpoint: UpstreamOperation, own?: UpstreamCodec): NamedCodec | undefined {
  return own ?? (isConversation(endpoint) ? conversations[endpoint].upstream : undefined)
}

/** The upstream operations that can serve one of a caller's, the one that needs no conversion first. */
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
