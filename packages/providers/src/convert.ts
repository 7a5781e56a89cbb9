import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import { saidInWords } from '@tollgate/dialects/canonical/said-in-words'
import { features, refusedFeature } from '@tollgate/dialects/canonical/feature'
import type { NamedCodec } from '@tollgate/dialects/canonical/codec'
import { foreignIn } from '@tollgate/dialects/canonical/foreign'
import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/kit/problem'
import { withMedia, type FetchedMedia } from './build/media.ts'

export interface Conversion {
  readonly asked: ConversationOperation
  readonly codec: NamedCodec
  readonly body: JsonObject
  readonly model: string
  readonly isStream: boolean
  readonly outputTokensDefault: number
  /** What lies at addresses that the upstream does not fetch from. */
  readonly media: FetchedMedia
}

/**
 * The body of a request in another dialect than the caller's. Throws a problem for a body that is none of the caller's
 * dialect, and for what the upstream's has no words for where the answer would be another one; `MediaWanted` for media
 * that must be fetched first.
 */
export function convert({
  asked,
  codec,
  body,
  model,
  isStream,
  outputTokensDefault,
  media,
}: Conversion): JsonObject {
  const read = conversations[asked].caller.readConversation(body, { model, isStream })
  const conversation: Conversation = { ...read, model, isStream }
  const refused = refusedFeature(conversation, codec.limits)
  if (refused !== undefined) throw problem('not_expressible', { feature: features[refused].words })
  const foreign = foreignIn(conversation, codec.name)
  if (foreign !== undefined) throw foreign
  const said = saidInWords(conversation, codec.name)
  return codec.writeRequest(withMedia(said, codec, media), { outputTokensDefault })
}
