import { ownValue } from '@tollgate/kit/own-value'
import { problem } from '@tollgate/problems/problem'
import { sourceOfUrl, urlOfSource } from '../canonical/data-url.ts'
import type { Citation, Part, Source, TextPart, TokenLogprob } from '../canonical/part.ts'
import { rawFor } from '../canonical/raw.ts'
import { isRecord, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'

/** Reads the content of a message or the output of a tool: a text, or a list of parts. */
export function readContent(content: unknown): Part[] {
  if (content === undefined || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content) || !content.every(isRecord))
    throw problem('member_invalid', { param: 'input.content' })
  return content.map(readPart)
}

const readers: Readonly<Record<string, (part: JsonObject) => Part>> = {
  input_text: readText,
  output_text: readText,
  text: readText,
  refusal: (part) => ({ type: 'refusal', text: textAt(part, 'refusal') ?? '' }),
  input_image: (part) => ({
    type: 'image',
    source: imageOf(part),
    detail: textAt(part, 'detail'),
  }),
  input_file: (part) => ({
    type: 'file',
    source: fileOf(part),
    name: textAt(part, 'filename'),
  }),
  input_audio: (part) => ({ type: 'audio', source: audioOf(part) }),
  encrypted_content: readEncrypted,
  input_video: (part) => ({ type: 'video', source: sourceOfUrl(textAt(part, 'video_url') ?? '') }),
}

/** Parts of unknown types become opaque parts. */
export function readPart(part: JsonObject): Part {
  const type = textAt(part, 'type') ?? ''
  const read = ownValue(readers, type)
  return read === undefined ? { type: 'opaque', raw: { dialect: 'responses', value: part } } : read(part)
}

/** Format of OpenAI's encrypted content, which no other vendor can read. */
const SEALED = /^gAAAA[\w-]{16,}={0,2}$/

/**
 * Reads text that one Codex agent sends to another. OpenAI encrypts what its models write into such an
 * argument; other models wrote it as plain text.
 */
function readEncrypted(part: JsonObject): Part {
  const text = textAt(part, 'encrypted_content')
  if (text === undefined) throw problem('member_missing', { param: 'input.encrypted_content' })
  return SEALED.test(text)
    ? { type: 'opaque', raw: { dialect: 'responses', value: part } }
    : { type: 'text', text }
}

export function readText(part: JsonObject): TextPart {
  const citations = recordsAt(part, 'annotations').map(readAnnotation)
  const logprobs = readLogprobs(part)
  return {
    type: 'text',
    text: typeof part['text'] === 'string' ? part['text'] : '',
    citations: citations.length > 0 ? citations : undefined,
    logprobs: logprobs.length > 0 ? logprobs : undefined,
  }
}

export function readAnnotation(annotation: JsonObject): Citation {
  const { start_index: start, end_index: end } = annotation
  return {
    raw: { dialect: 'responses', value: annotation },
    url: textAt(annotation, 'url'),
    title: textAt(annotation, 'title') ?? textAt(annotation, 'filename'),
    start: typeof start === 'number' ? start : undefined,
    end: typeof end === 'number' ? end : undefined,
  }
}

export function readLogprobs(part: JsonObject): TokenLogprob[] {
  return recordsAt(part, 'logprobs').map((each) => ({
    ...chanceOf(each),
    top: recordsAt(each, 'top_logprobs').map(chanceOf),
  }))
}

function chanceOf(each: JsonObject): Omit<TokenLogprob, 'top'> {
  const { logprob, bytes } = each
  return {
    token: typeof each['token'] === 'string' ? each['token'] : '',
    logprob: typeof logprob === 'number' ? logprob : 0,
    bytes: Array.isArray(bytes) ? bytes.filter((byte) => typeof byte === 'number') : undefined,
  }
}

function imageOf(part: JsonObject): Source {
  const id = textAt(part, 'file_id')
  if (id !== undefined) return { type: 'id', id, dialect: 'responses' }
  const url = textAt(part, 'image_url')
  if (url === undefined) throw problem('member_missing', { param: 'input.image_url' })
  return sourceOfUrl(url)
}

function fileOf(part: JsonObject): Source {
  const id = textAt(part, 'file_id')
  if (id !== undefined) return { type: 'id', id, dialect: 'responses' }
  const data = textAt(part, 'file_data') ?? textAt(part, 'file_url')
  if (data === undefined) throw problem('member_missing', { param: 'input.file_data' })
  if (/^(?:data|https?):/i.test(data)) return sourceOfUrl(data)
  return { type: 'data', mediaType: mediaTypeOf(textAt(part, 'filename') ?? ''), base64: data }
}

function mediaTypeOf(name: string): string {
  return /\.(?:txt|md|csv|json)$/i.test(name) ? 'text/plain' : 'application/pdf'
}

function audioOf(part: JsonObject): Source {
  const audio = recordAt(part, 'input_audio') ?? part
  const format = textAt(audio, 'format') ?? 'wav'
  return {
    type: 'data',
    mediaType: `audio/${format === 'mp3' ? 'mpeg' : format}`,
    base64: textAt(audio, 'data') ?? '',
  }
}

/**
 * Writes the parts of a caller's turn, or of a tool output. Files stored with another vendor are left out.
 */
export function writeInputPart(part: Part): JsonObject[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'input_text', text: part.text }]
  if (part.type === 'refusal') return [{ type: 'input_text', text: part.text }]
  if (part.type === 'opaque') return ownPart(rawFor(part.raw, 'responses'))
  if (part.type === 'image') {
    const place = placeOf(part.source, 'image_url')
    return place === undefined ? [] : [{ type: 'input_image', ...place, detail: part.detail ?? 'auto' }]
  }
  if (part.type === 'file') return writeFile(part)
  if (part.type !== 'audio' || part.source.type !== 'data') return []
  const format = part.source.mediaType.replace(/^audio\//, '').replace('mpeg', 'mp3')
  return [{ type: 'input_audio', input_audio: { data: part.source.base64, format } }]
}

function writeFile(part: Extract<Part, { type: 'file' }>): JsonObject[] {
  const { source } = part
  const name = part.name ?? part.title
  if (source.type === 'url') return [{ type: 'input_file', file_url: source.url }]
  const place = placeOf(source, 'file_data')
  if (place === undefined) return []
  // OpenAI rejects file data without a file name.
  const filename = source.type === 'data' ? fileName(name, source.mediaType) : name
  return [{ type: 'input_file', ...place, filename }]
}

/** The file type is derived from the ending of the file name, so a name without one gets an ending. */
function fileName(name: string | undefined, mediaType: string): string {
  const ending = mediaType.startsWith('text/') ? '.txt' : '.pdf'
  if (name === undefined) return `document${ending}`
  return /\.\w{1,8}$/.test(name) ? name : `${name}${ending}`
}

function placeOf(source: Source, member: string): JsonObject | undefined {
  if (source.type === 'id')
    return source.dialect === 'responses' || source.dialect === 'openai' ? { file_id: source.id } : undefined
  return { [member]: urlOfSource(source) }
}

/** Only input parts may stand here; an item among them would be rejected. */
function ownPart(part: JsonObject | undefined): JsonObject[] {
  return part === undefined || !String(part['type']).startsWith('input_') ? [] : [part]
}

export function writeOutputText({ text, citations = [], logprobs = [] }: TextPart): JsonObject {
  return {
    type: 'output_text',
    text,
    annotations: citations.flatMap((citation) => writeAnnotation(citation, text.length)),
    logprobs: logprobs.length > 0 ? logprobs.map(writeLogprob) : undefined,
  }
}

/** A citation without a position covers the whole text, of which `length` characters are known. */
export function writeAnnotation({ raw, url, title, start, end }: Citation, length: number): JsonObject[] {
  const own = rawFor(raw, 'responses')
  if (isRecord(own)) return [own]
  if (url === undefined) return []
  return [
    { type: 'url_citation', url, title: title ?? url, start_index: start ?? 0, end_index: end ?? length },
  ]
}

export function writeLogprob({ token, logprob, bytes = [], top }: TokenLogprob): JsonObject {
  return {
    token,
    logprob,
    bytes: [...bytes],
    top_logprobs: top.map((each) => ({
      token: each.token,
      logprob: each.logprob,
      bytes: [...(each.bytes ?? [])],
    })),
  }
}
