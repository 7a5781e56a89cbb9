import { isConversation, type CallOperation } from './conversations.ts'
import { isRecord, recordAt, textAt, type JsonObject } from './json.ts'
import { toolsOf } from './requested-tools.ts'

/**
 * What a request makes the upstream read beyond what can be counted in it: results of tools that the upstream runs,
 * media by address, and whatever is stored at the vendor. Members are named as a caller wrote them.
 */
export interface UncountedInput {
  /** Asks for a tool that the upstream runs itself, such as search, fetch or code. */
  readonly serverTool: string | undefined
  /** Names something stored at the vendor, or a server of the caller's choice. */
  readonly storedContext: string | undefined
  /** Names an earlier response, conversation or prompt that the vendor keeps; `storedContext` is set too. */
  readonly keptByVendor: string | undefined
  /** What it may bring in beside text. */
  readonly media: ReadonlySet<'image' | 'audio'>
}

/** `undefined`: all that the upstream reads is in the request. */
export function uncountedInput(operation: CallOperation, body: JsonObject): UncountedInput | undefined {
  const found = new Found()
  if (!isConversation(operation) && operation !== 'compact') {
    for (const name of MEDIA_MEMBERS[operation] ?? []) noteContent(body[name], found)
    return found.isAnything ? found : undefined
  }
  noteMembers(operation, body, found)
  for (const tool of toolsOf(body)) noteTool(operation, tool, found)
  for (const name of CONTENT_MEMBERS) noteContent(body[name], found)
  return found.isAnything ? found : undefined
}

class Found implements UncountedInput {
  serverTool: string | undefined
  storedContext: string | undefined
  keptByVendor: string | undefined
  readonly media = new Set<'image' | 'audio'>()
  isAnything = false

  runs(member: string): void {
    this.serverTool ??= member
    this.isAnything = true
  }

  stored(member: string): void {
    this.storedContext ??= member
    this.reads('image', 'audio')
  }

  kept(member: string): void {
    this.keptByVendor ??= member
    this.stored(member)
  }

  reads(...media: readonly ('image' | 'audio')[]): void {
    for (const kind of media) this.media.add(kind)
    this.isAnything = true
  }
}

/** Members of Responses that name what a vendor keeps. */
const keptMembers = ['previous_response_id', 'conversation', 'prompt'] as const
const storedMembers = ['mcp_servers', 'cachedContent', 'cached_content'] as const
/** Searches of OpenAI, xAI, Qwen, Baidu, Hunyuan, Cohere and routers, and the code that Qwen and Groq run. */
const serverMembers = [
  'web_search_options',
  'search_parameters',
  'enable_search',
  'enable_enhancement',
  'enable_code_interpreter',
  'web_search',
  'plugins',
  'connectors',
  'compound_custom',
] as const
const CONTENT_MEMBERS = [
  'messages',
  'input',
  'contents',
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
] as const

const PICTURES = ['image', 'image[]', 'images', 'mask'] as const
/** What other operations may name by an id or an address, beside text. */
const MEDIA_MEMBERS: Partial<Readonly<Record<CallOperation, readonly string[]>>> = {
  images: PICTURES,
  'image-edits': PICTURES,
  'image-variations': PICTURES,
  embeddings: ['input', 'content'],
  embed: ['content', 'requests'],
}

/** Top-level members that are judged here, for whoever compares spellings. */
export const uncountedMembers: readonly string[] = [
  ...keptMembers,
  ...storedMembers,
  ...serverMembers,
  ...CONTENT_MEMBERS,
  'container',
  'documents',
  'extra_body',
  'tools',
]

function noteMembers(operation: CallOperation, body: JsonObject, found: Found): void {
  const isResponse = operation === 'responses' || operation === 'compact'
  if (isResponse) for (const name of keptMembers) if (isAsked(body[name])) found.kept(name)
  for (const name of storedMembers) if (isAsked(body[name])) found.stored(name)
  for (const name of serverMembers) if (isAsked(body[name]) && !isSwitchedOff(body[name])) found.runs(name)
  if (isAsked(body['documents'])) found.reads()
  noteContainer(body['container'], found)
  const extra = recordAt(body, 'extra_body')
  if (extra === undefined) return
  if (isAsked(extra['enable_search'])) found.runs('extra_body.enable_search')
  const google = recordAt(extra, 'google') ?? {}
  for (const name of ['cachedContent', 'cached_content'])
    if (isAsked(google[name])) found.stored(`extra_body.google.${name}`)
}

function isAsked(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  return !Array.isArray(value) || value.length > 0
}

/** As xAI and Baidu have it: the member is there, and says that nothing is searched. */
function isSwitchedOff(value: unknown): boolean {
  return isRecord(value) && (value['mode'] === 'off' || value['enable'] === false)
}

/** Where code runs: one that is there already is named by its id and keeps the files of earlier calls. */
function noteContainer(container: unknown, found: Found): void {
  if (typeof container === 'string' && container !== '') return found.stored('container')
  if (!isRecord(container)) return
  if (isAsked(container['id'])) found.stored('container.id')
  if (isAsked(container['file_ids'])) found.stored('container.file_ids')
  if (isAsked(container['skills'])) found.runs('container.skills')
}

/** Members of a tool as Gemini has it that declare functions of the caller's. */
const DECLARATIONS = new Set(['functionDeclarations', 'function_declarations'])
/** Tools, by member or by type, that read what is stored or ask servers that the caller names. */
const STORED_TOOLS = /^(?:file_?search|retrieval|mcp.*)$/i
/** Types of tools that the caller runs. What they find comes with the next request, and is counted there. */
const CALLERS_TOOLS =
  /^(?:function|custom|local_shell|apply_patch|bash_\d+|text_editor_\d+|memory_\d+|tool_search\w*)$/i

function noteTool(operation: CallOperation, tool: JsonObject, found: Found): void {
  const type = textAt(tool, 'type')
  if (operation === 'generate' || type === undefined) return noteNamedTools(operation, tool, found)
  if (STORED_TOOLS.test(type)) found.stored(`tools.${type}`)
  else if (!CALLERS_TOOLS.test(type) && !isLocalShell(tool)) {
    found.runs(`tools.${type}`)
    noteContainer(tool['container'], found)
  }
}

function isLocalShell(tool: JsonObject): boolean {
  return tool['type'] === 'shell' && recordAt(tool, 'environment')?.['type'] === 'local'
}

/** What only a tool of the vendor's can be named, in the place of a function of another dialect. */
const VENDORS_TOOLS = /search|context|code_?execution|maps|retrieval|mcp/i

/** Each member of a tool of Gemini is a tool; elsewhere what has no type is a function. */
function noteNamedTools(operation: CallOperation, tool: JsonObject, found: Found): void {
  for (const [name, value] of Object.entries(tool)) {
    if (DECLARATIONS.has(name) || !isRecord(value)) continue
    if (operation !== 'generate' && !VENDORS_TOOLS.test(name)) continue
    if (STORED_TOOLS.test(name)) found.stored(`tools.${name}`)
    else found.runs(`tools.${name}`)
  }
}

/** Where parts hold further parts: turns, results of tools, documents made of blocks. Never arguments of calls. */
const NESTED = ['content', 'parts', 'output', 'functionResponse', 'function_response'] as const

/** Whatever a part says it is: an upstream that reads another member of it does not look at its type. */
function noteContent(value: unknown, found: Found): void {
  if (Array.isArray(value)) for (const each of value) noteContent(each, found)
  else if (isRecord(value)) {
    notePart(value, found)
    for (const name of NESTED) if (typeof value[name] === 'object') noteContent(value[name], found)
    if (isRecord(value['source'])) noteContent(value['source']['content'], found)
  }
}

/** Members of a part under which a file is described. */
const HOLDERS: ReadonlySet<string> = new Set([
  'file',
  'source',
  'image_url',
  'image_file',
  'image',
  'video',
  'audio',
])

function notePart(part: JsonObject, found: Found): void {
  for (const name of Object.keys(part)) {
    const value = part[name]
    if (name === 'file_id' && isAsked(value)) found.stored('file_id')
    if (!isRecord(value)) continue
    if (HOLDERS.has(name) && isAsked(value['file_id'])) found.stored(`${name}.file_id`)
    else if (name === 'fileData' || name === 'file_data') noteFile(name, value, found)
    else if (name === 'inlineData' || name === 'inline_data') noteInline(mediaTypeOf(value), found)
    // An earlier spoken answer comes back by its id alone.
    else if (name === 'audio' && isAsked(value['id'])) found.reads('audio')
  }
  if (part['role'] === 'cache') found.stored('messages.role')
  const type = part['type']
  if (typeof type === 'string' && !COUNTED_ITEMS.has(type)) noteTyped(part, type, found)
}

/** Types that hold nothing but parts, or text. */
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

/** A document is counted where it is text; pages of other formats may cost more than their bytes tell. */
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

/** Some upstreams believe the name of a file, and others what its data says of itself. */
const CLOSED_NAME = /\.(?:pdf|docx?|pptx?|xlsx?|epub|odt|rtf|mp[34]|wav|webm|mov|avi)$/i

/** A film or a document in the place of a picture: some gateways hand it on as what it is. */
function isOtherData(image: unknown): boolean {
  const url = isRecord(image) ? image['url'] : image
  return typeof url === 'string' && /^data:/i.test(url) && !/^data:image\//i.test(url)
}

function mediaTypeOf(data: JsonObject): string {
  return (textAt(data, 'mimeType') ?? textAt(data, 'mime_type') ?? '').toLowerCase()
}

/** A file of Gemini's own store has the name `files/…` there; anything else is fetched. */
const OWN_FILE = /^(?:https?:\/\/[^/]*googleapis\.com\/\S*)?files\/[^/]+$/i

function noteFile(name: string, file: JsonObject, found: Found): void {
  const address = textAt(file, 'fileUri') ?? textAt(file, 'file_uri') ?? ''
  const mediaType = mediaTypeOf(file)
  if (OWN_FILE.test(address)) found.stored(name)
  else if (mediaType.startsWith('audio/')) found.reads('audio')
  // A picture is counted at its largest. A page of videos is read as one, whatever it is said to be.
  else if (!mediaType.startsWith('image/') || /youtu\.?be/i.test(address)) found.reads('image', 'audio')
}

/** Pictures are counted at the largest size they could have, texts by their length; other formats hold more than they weigh. */
function noteInline(mediaType: string, found: Found): void {
  if (mediaType.startsWith('audio/')) found.reads('audio')
  else if (!mediaType.startsWith('image/') && !mediaType.startsWith('text/')) found.reads('image', 'audio')
}
