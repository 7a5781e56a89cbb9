import type { UpstreamCodec } from '@tollgate/dialects/canonical/codec'
import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { MediaPart, Part } from '@tollgate/dialects/canonical/part'
import { problem } from '@tollgate/problems/problem'
import { withDetectedMediaType } from './detected-media-type.ts'

/** A medium that was fetched from an address in the client's request. */
export interface FetchedMedium {
  readonly mediaType: string
  readonly base64: string
}

export type FetchedMedia = ReadonlyMap<string, FetchedMedium>

/** A conversation, and what is missing of its media. */
export interface CheckedMedia {
  readonly conversation: Conversation
  /** Addresses of the media that the upstream does not fetch itself. */
  readonly addresses: readonly string[]
}

type Accepting = Pick<UpstreamCodec, 'takesUrl'>

/** Gives inline images the media type that their bytes show. Throws a problem for content that is no image. */
export function checkMedia(conversation: Conversation, codec: Accepting): CheckedMedia {
  const addresses = new Set<string>()
  const checked = withParts(conversation, (part) => {
    const address = addressOf(part, codec)
    if (address !== undefined) addresses.add(address)
    return part.type === 'image' ? withDetectedMediaType(part) : part
  })
  return { conversation: checked, addresses: [...addresses] }
}

/**
 * Returns the conversation with every medium inlined that the upstream does not fetch itself. Throws a
 * problem when a medium is of another kind than the client declared.
 */
export function withMedia(
  conversation: Conversation,
  codec: Accepting,
  fetched?: FetchedMedia,
): Conversation {
  if (fetched === undefined) return conversation
  return withParts(conversation, (part) => {
    const medium = fetched.get(addressOf(part, codec) ?? '')
    return medium !== undefined && 'source' in part ? carrying(part, medium) : part
  })
}

function addressOf(part: Part, { takesUrl }: Accepting): string | undefined {
  return 'source' in part && part.source.type === 'url' && !takesUrl(part) ? part.source.url : undefined
}

function withParts(conversation: Conversation, change: (part: Part) => Part): Conversation {
  const fill = (part: Part): Part =>
    part.type === 'tool-result' ? { ...part, parts: part.parts.map(fill) } : change(part)
  const messages = conversation.messages.map((message) => filled(message, fill))
  return messages.every((message, at) => message === conversation.messages[at])
    ? conversation
    : { ...conversation, messages }
}

function filled(message: Message, fill: (part: Part) => Part): Message {
  const parts = message.parts.map(fill)
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts }
}

function carrying(part: MediaPart, { mediaType, base64 }: FetchedMedium): MediaPart {
  if (part.type !== 'file' && !mediaType.startsWith(`${part.type}/`)) {
    throw problem('media_wrong_kind', { wanted: part.type, type: mediaType })
  }
  return { ...part, source: { type: 'data', mediaType, base64 } }
}
