import type { MediaPart, Source } from '../canonical/part.ts'
import { toStandardBase64 } from '../canonical/base64.ts'
import { rawFor } from '../canonical/raw.ts'
import { omitUndefined } from '../canonical/omit-undefined.ts'
import type { JsonObject } from '../json.ts'
import { recordOf, restOf, textOf } from './members.ts'

/** URLs that only Gemini can fetch: its uploaded files, Google Cloud Storage and YouTube. */
const ONLY_THERE = /^(?:gs:|https:\/\/generativelanguage\.googleapis\.com\/|https:\/\/(?:www\.)?youtu)/i

/** Reads an `inlineData` or `fileData` part; `undefined` for any other. */
export function readMedia(part: JsonObject): MediaPart | undefined {
  const inline = recordOf(part, 'inlineData')
  const file = recordOf(part, 'fileData')
  const holder = inline ?? file
  if (holder === undefined) return undefined
  const mediaType = textOf(holder, 'mimeType')
  const source = inline === undefined ? fetched(textOf(holder, 'fileUri') ?? '') : carried(inline, mediaType)
  const rest = restOf(part, ['inlineData', 'fileData'])
  const extras = omitUndefined({ ...rest, mimeType: file && mediaType })
  const name = textOf(holder, 'displayName')
  return {
    ...kindOf(mediaType ?? '', source, name),
    extras: Object.keys(extras).length === 0 ? undefined : { dialect: 'gemini', value: extras },
  }
}

function carried(inline: JsonObject, mediaType = 'application/octet-stream'): Source {
  return { type: 'data', mediaType, base64: toStandardBase64(textOf(inline, 'data') ?? '') }
}

function fetched(uri: string): Source {
  return ONLY_THERE.test(uri) ? { type: 'id', id: uri, dialect: 'gemini' } : { type: 'url', url: uri }
}

function kindOf(mediaType: string, source: Source, name: string | undefined): MediaPart {
  if (mediaType.startsWith('image/')) return { type: 'image', source }
  if (mediaType.startsWith('audio/')) return { type: 'audio', source }
  if (mediaType.startsWith('video/')) return { type: 'video', source }
  // A URL without a media type is most often an image.
  return mediaType === '' ? { type: 'image', source } : { type: 'file', source, name }
}

/** Writes a media part for Gemini; `undefined` for a file stored with another vendor. */
export function writeMedia(part: MediaPart): Record<string, unknown> | undefined {
  const { source } = part
  const { mimeType, ...extras } = rawFor(part.extras, 'gemini') ?? {}
  if (source.type === 'data') {
    const displayName = part.type === 'file' ? part.name : undefined
    return {
      inlineData: {
        mimeType: bare(source.mediaType),
        data: toStandardBase64(source.base64),
        displayName,
      },
      ...extras,
    }
  }
  const fileUri = source.type === 'url' ? source.url : source.id
  if (source.type === 'id' && source.dialect !== 'gemini') return undefined
  return { fileData: { fileUri, mimeType: typeof mimeType === 'string' ? mimeType : undefined }, ...extras }
}

/**
 * `audio/wav; rate=24000` → `audio/wav`. For raw audio the rate is needed to decode it, so its type is kept
 * whole.
 */
function bare(mediaType: string): string {
  return /^audio\/(?:l16|pcm)/i.test(mediaType) ? mediaType : (mediaType.split(';')[0] ?? mediaType).trim()
}
