import type { MediaPart, Part, Source } from '../canonical/part.ts'
import { ownWords } from '../canonical/raw.ts'
import { told } from '../canonical/told.ts'
import type { JsonObject } from '../json.ts'
import { recordOf, restOf, textOf } from './members.ts'

/** Files uploaded to the vendor, and what only it can fetch. */
const ONLY_THERE = /^(?:gs:|https:\/\/generativelanguage\.googleapis\.com\/|https:\/\/(?:www\.)?youtu)/i

export function isMedia(part: Part): part is MediaPart {
  return part.type === 'image' || part.type === 'audio' || part.type === 'video' || part.type === 'file'
}

/** An `inlineData` or `fileData` part; `undefined` for any other. */
export function readMedia(part: JsonObject): MediaPart | undefined {
  const inline = recordOf(part, 'inlineData')
  const file = recordOf(part, 'fileData')
  const holder = inline ?? file
  if (holder === undefined) return undefined
  const mediaType = textOf(holder, 'mimeType')
  const source = inline === undefined ? fetched(textOf(holder, 'fileUri') ?? '') : carried(inline, mediaType)
  const rest = restOf(part, ['inlineData', 'fileData'])
  const extras = { ...rest, ...(file === undefined ? {} : told({ mimeType: mediaType })) }
  const name = textOf(holder, 'displayName')
  return {
    ...kindOf(mediaType ?? '', source, name),
    ...(Object.keys(extras).length === 0 ? {} : { extras: { dialect: 'gemini', value: extras } }),
  }
}

function carried(inline: JsonObject, mediaType = 'application/octet-stream'): Source {
  return { type: 'data', mediaType, base64: textOf(inline, 'data') ?? '' }
}

function fetched(uri: string): Source {
  return ONLY_THERE.test(uri) ? { type: 'id', id: uri, dialect: 'gemini' } : { type: 'url', url: uri }
}

function kindOf(mediaType: string, source: Source, name: string | undefined): MediaPart {
  if (mediaType.startsWith('image/')) return { type: 'image', source }
  if (mediaType.startsWith('audio/')) return { type: 'audio', source }
  if (mediaType.startsWith('video/')) return { type: 'video', source }
  // An address without a type is most often a picture's.
  return mediaType === '' ? { type: 'image', source } : { type: 'file', source, ...told({ name }) }
}

/** The part in the dialect's words; `undefined` for a file that lies with another vendor. */
export function writeMedia(part: MediaPart): Record<string, unknown> | undefined {
  const { source } = part
  const { mimeType, ...extras } = ownWords(part.extras, 'gemini') ?? {}
  if (source.type === 'data') {
    const displayName = part.type === 'file' ? part.name : undefined
    return {
      inlineData: { mimeType: bare(source.mediaType), data: source.base64, ...told({ displayName }) },
      ...extras,
    }
  }
  const fileUri = source.type === 'url' ? source.url : source.id
  if (source.type === 'id' && source.dialect !== 'gemini') return undefined
  return { fileData: { fileUri, ...(typeof mimeType === 'string' ? { mimeType } : {}) }, ...extras }
}

/** `audio/wav; rate=24000` → `audio/wav`. The rate of raw sound is part of its type and stays. */
function bare(mediaType: string): string {
  return /^audio\/(?:l16|pcm)/i.test(mediaType) ? mediaType : (mediaType.split(';')[0] ?? mediaType).trim()
}
