import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import { saidInWords } from '@tollgate/dialects/canonical/said-in-words'
import { features, refusedFeature } from '@tollgate/dialects/canonical/feature'
import type { NamedCodec } from '@tollgate/dialects/canonical/codec'
import { foreignIn } from '@tollgate/dialects/canonical/foreign'
import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { countingTexts } from '@tollgate/dialects/json-limits'
import { problem } from '@tollgate/kit/problem'
import { withSignatures, type KnownSignatures } from './build/call-signatures.ts'
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
  /** Of calls that come back without theirs; absent as long as nobody looked. */
  readonly signatures?: KnownSignatures | undefined
}

/**
 * The body of a request in another dialect than the caller's. Throws a problem for a body that is none of the caller's
 * dialect, and for what the upstream's has no words for where the answer would be another one; `SignaturesWanted` and
 * `MediaWanted` for what must be found first.
 */
export function convert(conversion: Conversion): JsonObject {
  return countingTexts(() => converted(conversion))
}

function converted({
  asked,
  codec,
  body,
  model,
  isStream,
  outputTokensDefault,
  media,
  signatures,
}: Conversion): JsonObject {
  const read = conversations[asked].caller.readConversation(body, { model, isStream })
  const conversation: Conversation = { ...read, model, isStream }
  const refused = refusedFeature(conversation, codec.limits)
  if (refused !== undefined) throw problem('not_expressible', { feature: features[refused].words })
  const foreign = foreignIn(conversation, codec.name)
  if (foreign !== undefined) throw foreign
  const said = saidInWords(conversation, codec.name)
  const signed = codec.name === 'gemini' ? withSignatures(said, signatures) : said
  return codec.writeRequest(withMedia(signed, codec, media), { outputTokensDefault })
}
