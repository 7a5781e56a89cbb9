import { readCache } from '../../canonical/cache-marker.ts'
import { ownValue } from '@tollgate/kit/own-value'
import { problem } from '@tollgate/problems/problem'
import { sourceOfUrl, urlOfSource } from '../../canonical/data-url.ts'
import { type MediaPart, type Part, isMediaPart } from '../../canonical/part.ts'
import { isRecord, recordAt, textAt, type JsonObject } from '../../json.ts'

/**
 * Reads the content of a message: text, media, or parts that callers written for other dialects put there.
 */
export function readContent(content: unknown): readonly Part[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (isRecord(content)) return readPart(content)
  if (!Array.isArray(content)) throw problem('member_invalid', { param: 'content' })
  return content.flatMap((part: unknown) => {
    if (typeof part === 'string') return readContent(part)
    if (isRecord(part)) return readPart(part)
    throw problem('member_invalid', { param: 'content' })
  })
}

function readPart(part: JsonObject): readonly Part[] {
  const type = textAt(part, 'type') ?? 'text'
  const read = ownValue(readers, type)?.(part)
  if (read === undefined) return [{ type: 'opaque', raw: { dialect: 'openai', value: part } }]
  return [{ ...read, cache: readCache(part) }]
}

type Readable = Exclude<Part, { type: 'opaque' }>

const readers: Readonly<Record<string, (part: JsonObject) => Readable | undefined>> = {
  text: (part) => ({ type: 'text', text: textAt(part, 'text') ?? '' }),
  refusal: (part) => ({ type: 'refusal', text: textAt(part, 'refusal') ?? '' }),
  image_url: readImage,
  input_image: readImage,
  video_url: (part) => {
    const url = textAt(recordAt(part, 'video_url') ?? part, 'url') ?? textAt(part, 'video_url')
    return url === undefined ? undefined : { type: 'video', source: sourceOfUrl(url) }
  },
  input_audio: (part) => {
    const audio = recordAt(part, 'input_audio') ?? {}
    const base64 = textAt(audio, 'data')
    if (base64 === undefined) return undefined
    const mediaType = audioType(textAt(audio, 'format') ?? 'wav')
    return { type: 'audio', source: { type: 'data', mediaType, base64 } }
  },
  file: readFile,
  input_file: readFile,
}

function readImage(part: JsonObject): Readable | undefined {
  const image = recordAt(part, 'image_url')
  const url = image === undefined ? textAt(part, 'image_url') : textAt(image, 'url')
  if (url === undefined) return undefined
  return {
    type: 'image',
    source: sourceOfUrl(url),
    detail: textAt(image ?? part, 'detail'),
  }
}

function readFile(part: JsonObject): Readable | undefined {
  const file = recordAt(part, 'file') ?? part
  const data = textAt(file, 'file_data') ?? textAt(file, 'file_url')
  const id = textAt(file, 'file_id')
  const name = textAt(file, 'filename')
  if (data !== undefined) return { type: 'file', source: fileSource(data, name), name }
  return id === undefined ? undefined : { type: 'file', source: { type: 'id', id, dialect: 'openai' }, name }
}

/** File data should be a data URL, but bare base64 is common. */
function fileSource(data: string, name: string | undefined) {
  if (/^(?:data|https?):/i.test(data)) return sourceOfUrl(data)
  const isText = name !== undefined && /\.(?:txt|md|csv)$/i.test(name)
  const mediaType = isText ? 'text/plain' : 'application/pdf'
  return { type: 'data' as const, mediaType, base64: data }
}

/** Short names of audio formats in chat completions, such as `wav` and `mp3`. */
const audioNames: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
}

function audioType(format: string): string {
  return format === 'mp3' ? 'audio/mpeg' : `audio/${format}`
}

/** Writes a message part; `undefined` if chat completions cannot express it. */
export function writePart(part: Part): JsonObject | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'refusal') return { type: 'refusal', refusal: part.text }
  if (part.type === 'opaque') return part.raw.dialect === 'openai' ? part.raw.value : undefined
  return isMediaPart(part) ? writeMedia(part) : undefined
}

function writeMedia(part: MediaPart): JsonObject | undefined {
  const { source } = part
  const url = urlOfSource(source)
  if (part.type === 'file') return writeFile(part, url)
  if (url === undefined) return undefined
  if (part.type === 'image') return { type: 'image_url', image_url: { url, detail: part.detail } }
  if (part.type === 'video') return { type: 'video_url', video_url: { url } }
  if (source.type !== 'data') return undefined
  const format = audioNames[source.mediaType] ?? source.mediaType.replace(/^audio\//, '')
  return { type: 'input_audio', input_audio: { data: source.base64, format } }
}

function writeFile(part: Extract<Part, { type: 'file' }>, url: string | undefined): JsonObject | undefined {
  const { source } = part
  const filename = part.name ?? part.title
  if (source.type === 'id') {
    return source.dialect === 'openai' || source.dialect === 'responses'
      ? { type: 'file', file: { file_id: source.id, filename } }
      : undefined
  }
  const ending = source.type === 'data' && source.mediaType.startsWith('text/') ? '.txt' : '.pdf'
  // The file type is derived from the ending of the file name, so a name without one gets an ending.
  const name = filename === undefined || /\.\w{1,8}$/.test(filename) ? filename : `${filename}${ending}`
  return { type: 'file', file: { filename: name ?? `file${ending}`, file_data: url } }
}
