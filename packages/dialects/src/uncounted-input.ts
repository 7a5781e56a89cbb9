import { isConversation, type CallOperation } from './conversations.ts'
import { isRecord, recordAt, textAt, type JsonObject } from './json.ts'
import { toolsOf } from './requested-tools.ts'

/**
 * Input that the upstream reads in addition to what can be counted in the request: results of tools that the
 * upstream runs, media by URL, and anything stored with the vendor. Members are named as the caller wrote
 * them.
 */
export interface UncountedInput {
  /** Member that requests a tool that the upstream runs itself, such as search, fetch or code. */
  readonly serverTool: string | undefined
  /** Member that refers to something stored with the vendor, or to a server of the caller's choice. */
  readonly storedContext: string | undefined
  /**
   * Member that refers to an earlier response, conversation or prompt kept by the vendor; `storedContext` is
   * set too.
   */
  readonly keptByVendor: string | undefined
  /** Media that the upstream may read in addition to text. */
  readonly media: ReadonlySet<'image' | 'audio'>
}

/** Returns `undefined` if the upstream reads nothing beyond the request. */
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

/** Members of Responses that refer to state kept by the vendor. */
const keptMembers = ['previous_response_id', 'conversation', 'prompt'] as const
const storedMembers = ['mcp_servers', 'cachedContent', 'cached_content'] as const
/**
 * Search members of OpenAI, xAI, Qwen, Baidu, Hunyuan, Cohere and routers, and the code tools of Qwen and
 * Groq.
 */
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
/** Members of other operations that may refer to media by id or URL, in addition to text. */
const MEDIA_MEMBERS: Partial<Readonly<Record<CallOperation, readonly string[]>>> = {
  images: PICTURES,
  'image-edits': PICTURES,
  'image-variations': PICTURES,
  embeddings: ['input', 'content'],
  embed: ['content', 'requests'],
}

/**
 * Top-level members that are checked here; a test compares them with the judged members, whose spelling is
 * checked.
 */
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

/** xAI and Baidu allow the member to be present with a value that disables the search. */
function isSwitchedOff(value: unknown): boolean {
  return isRecord(value) && (value['mode'] === 'off' || value['enable'] === false)
}

/**
 * A container for running code. A string or `id` refers to an existing container, which keeps the files of
 * earlier requests.
 */
function noteContainer(container: unknown, found: Found): void {
  if (typeof container === 'string' && container !== '') return found.stored('container')
  if (!isRecord(container)) return
  if (isAsked(container['id'])) found.stored('container.id')
  if (isAsked(container['file_ids'])) found.stored('container.file_ids')
  if (isAsked(container['skills'])) found.runs('container.skills')
}

/** Members of a Gemini tool that declare functions of the caller. */
const DECLARATIONS = new Set(['functionDeclarations', 'function_declarations'])
/** Tools, by member name or by type, that read stored content or call servers that the caller names. */
const STORED_TOOLS = /^(?:file_?search|retrieval|mcp.*)$/i
/** Types of tools that the caller runs. Their results come with the next request, and are counted there. */
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

/** Names that can only mean a built-in tool of a vendor, in a tool of another dialect that has no type. */
const VENDORS_TOOLS = /search|context|code_?execution|maps|retrieval|mcp/i

/** Each member of a Gemini tool is a tool; in other dialects a tool without a type is a function. */
function noteNamedTools(operation: CallOperation, tool: JsonObject, found: Found): void {
  for (const [name, value] of Object.entries(tool)) {
    if (DECLARATIONS.has(name) || !isRecord(value)) continue
    if (operation !== 'generate' && !VENDORS_TOOLS.test(name)) continue
    if (STORED_TOOLS.test(name)) found.stored(`tools.${name}`)
    else found.runs(`tools.${name}`)
  }
}

/**
 * Members in which parts contain further parts: turns, tool results, documents made of blocks. Arguments of
 * calls are never included.
 */
const NESTED = ['content', 'parts', 'output', 'functionResponse', 'function_response'] as const

/**
 * Checks all members of a part whatever its type, because an upstream that reads such a member may ignore the
 * type.
 */
function noteContent(value: unknown, found: Found): void {
  if (Array.isArray(value)) for (const each of value) noteContent(each, found)
  else if (isRecord(value)) {
    notePart(value, found)
    for (const name of NESTED) if (typeof value[name] === 'object') noteContent(value[name], found)
    if (isRecord(value['source'])) noteContent(value['source']['content'], found)
  }
}

/** Members of a part that describe a file. */
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
