import { memberNames } from '../canonical/members.ts'
import { isRecord, recordAt, textAt, type JsonObject } from '../json.ts'
import { isAsked, type Found } from './found.ts'

/**
 * Members in which parts contain further parts: turns, tool results, documents made of blocks. Arguments of
 * calls are never included.
 */
const NESTED = ['content', 'parts', 'output', 'functionResponse', 'function_response'] as const

/**
 * Checks all members of a part whatever its type, because an upstream that reads such a member may ignore the
 * type.
 */
export function noteContent(value: unknown, found: Found): void {
  if (Array.isArray(value)) for (const each of value) noteContent(each, found)
  else if (isRecord(value)) {
    notePart(value, found)
    for (const name of NESTED) if (typeof value[name] === 'object') noteContent(value[name], found)
    if (isRecord(value['source'])) noteContent(value['source']['content'], found)
  }
}

/** Members of a part that describe a file. */
const HOLDERS = memberNames('file source image_url image_file image video audio')

function notePart(part: JsonObject, found: Found): void {
  for (const name of Object.keys(part)) {
    const value = part[name]
    if (name === 'file_id' && isAsked(value)) found.stored('file_id')
    if (!isRecord(value)) continue
    if (HOLDERS.has(name) && isAsked(value['file_id'])) found.stored(`${name}.file_id`)
    else if (name === 'fileData' || name === 'file_data') noteFile(name, value, found)
    else if (name === 'inlineData' || name === 'inline_data') noteInline(mediaTypeOf(value), found)
    // A spoken answer of an earlier turn is referenced by its id only.
    else if (name === 'audio' && isAsked(value['id'])) found.reads('audio')
  }
  if (part['role'] === 'cache') found.stored('messages.role')
  const type = part['type']
  if (typeof type === 'string' && !COUNTED_ITEMS.has(type)) noteTyped(part, type, found)
}

/** Types that contain only parts or text. */
const COUNTED_ITEMS: ReadonlySet<string> = new Set([
  'message',
  'tool_result',
  'function_call_output',
  'reasoning',
])

const NOTHING: JsonObject = {}
const ADDRESS = /^(?:https?|gs|s3):/i

function noteTyped(part: JsonObject, type: string, found: Found): void {
  if (type === 'item_reference') found.reads('image', 'audio')
  else if (type.includes('video')) found.reads('image', 'audio')
  else if (type === 'audio_url') found.reads('audio')
  else if (type === 'document_url') found.reads('image')
  else if (type === 'image_url' || type === 'input_image') {
    if (isOtherData(part['image_url'])) found.reads('image', 'audio')
  } else if (type === 'document' && isClosed(recordAt(part, 'source'))) found.reads('image')
  else if ((type === 'file' || type === 'input_file') && isUnread(recordAt(part, 'file') ?? part))
    found.reads('image')
}

/** Only text documents can be counted; pages of other formats may cost more than their size suggests. */
function isClosed(source: JsonObject = NOTHING): boolean {
  return source['type'] === 'url' || source['type'] === 'base64'
}

function isUnread(file: JsonObject): boolean {
  if (isAsked(file['file_url'])) return true
  const data = textAt(file, 'file_data')
  if (data === undefined) return false
  if (/^data:/i.test(data))
    return !/^data:text\//i.test(data) || CLOSED_NAME.test(textAt(file, 'filename') ?? '')
  return ADDRESS.test(data) || !/\.(?:txt|md|csv|json)$/i.test(textAt(file, 'filename') ?? '')
}

/** Some upstreams derive the type of a file from its name, others from its data URL. */
const CLOSED_NAME = /\.(?:pdf|docx?|pptx?|xlsx?|epub|odt|rtf|mp[34]|wav|webm|mov|avi)$/i

/** A video or document in place of an image: some gateways pass it on with its real type. */
function isOtherData(image: unknown): boolean {
  const url = isRecord(image) ? image['url'] : image
  return typeof url === 'string' && /^data:/i.test(url) && !/^data:image\//i.test(url)
}

function mediaTypeOf(data: JsonObject): string {
  return (textAt(data, 'mimeType') ?? textAt(data, 'mime_type') ?? '').toLowerCase()
}

/** A file in Gemini's own storage has a name `files/…`; any other URL is fetched. */
const OWN_FILE = /^(?:https?:\/\/[^/]*googleapis\.com\/\S*)?files\/[^/]+$/i

function noteFile(name: string, file: JsonObject, found: Found): void {
  const address = textAt(file, 'fileUri') ?? textAt(file, 'file_uri') ?? ''
  const mediaType = mediaTypeOf(file)
  if (OWN_FILE.test(address)) found.stored(name)
  else if (mediaType.startsWith('audio/')) found.reads('audio')
  // An image is counted at its largest size. A video page is counted as a video, whatever its media type
  // says.
  else if (!mediaType.startsWith('image/') || /youtu\.?be/i.test(address)) found.reads('image', 'audio')
}

/**
 * Images are counted at their largest possible size, and texts by their length; other formats may contain
 * more than their size suggests.
 */
function noteInline(mediaType: string, found: Found): void {
  if (mediaType.startsWith('audio/')) found.reads('audio')
  else if (!mediaType.startsWith('image/') && !mediaType.startsWith('text/')) found.reads('image', 'audio')
}
