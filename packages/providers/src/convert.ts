import type { MediaPart } from '@tollgate/dialects/canonical/part'
import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import { features, refusedFeature } from '@tollgate/dialects/canonical/feature'
import type { UpstreamCodec } from '@tollgate/dialects/canonical/codec'
import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/kit/problem'

export interface Conversion {
  readonly asked: ConversationOperation
  readonly codec: UpstreamCodec
  readonly body: JsonObject
  readonly model: string
  readonly isStream: boolean
  readonly outputTokensDefault: number
}

/**
 * The body of a request in another dialect than the caller's. Throws a problem for a body that is none of the caller's
 * dialect, and for what the upstream's has no words for where the answer would be another one.
 */
export function convert({
  asked,
  codec,
  body,
  model,
  isStream,
  outputTokensDefault,
}: Conversion): JsonObject {
  const read = conversations[asked].caller.readConversation(body, { model, isStream })
  const conversation: Conversation = { ...read, model, isStream }
  const refused = refusedFeature(conversation, codec.limits)
  if (refused !== undefined) throw problem('not_expressible', { feature: features[refused].words })
  refuseAddresses(conversation, codec)
  return codec.writeRequest(conversation, { outputTokensDefault })
}

/** Media an upstream would have to fetch and does not. */
function refuseAddresses({ messages }: Conversation, codec: UpstreamCodec): void {
  const isRefused = (part: MediaPart) => part.source.type === 'url' && !codec.takesUrl(part)
  for (const { parts } of messages) {
    const inside = parts.flatMap((part) => (part.type === 'tool-result' ? part.parts : [part]))
    for (const part of inside) {
      const isMedia = 'source' in part
      if (isMedia && isRefused(part)) throw problem('media_unsupported', { type: `${part.type} by address` })
    }
  }
}
