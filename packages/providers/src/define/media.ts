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

/**
 * Thrown when an upstream does not accept a medium by its address. The caller that prepares the attempt
 * fetches these addresses and tries again.
 */
export class MediaNeeded extends Error {
  override readonly name = 'MediaWanted'
  readonly addresses: readonly string[]

  constructor(addresses: readonly string[]) {
    super('media are wanted by their addresses')
    this.addresses = addresses
  }
}

/**
 * Returns the conversation with every medium inlined that the upstream does not fetch itself. Throws {@link
 * MediaWanted} for media that were not fetched yet, and a problem when a medium is of another kind than the
 * client declared.
 */
export function withMedia(
  conversation: Conversation,
  { takesUrl }: Pick<UpstreamCodec, 'takesUrl'>,
  fetched: FetchedMedia,
): Conversation {
  const wanted = new Set<string>()
  const fill = (part: Part): Part => {
    if (part.type === 'tool-result') return { ...part, parts: part.parts.map(fill) }
    if (part.type === 'image' && part.source.type === 'data') return withDetectedMediaType(part)
    if (!('source' in part) || part.source.type !== 'url' || takesUrl(part)) return part
    const medium = fetched.get(part.source.url)
    if (medium !== undefined) return carrying(part, medium)
    wanted.add(part.source.url)
    return part
  }
  const messages = conversation.messages.map((message) => filled(message, fill))
  if (wanted.size > 0) throw new MediaNeeded([...wanted])
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
