import { isConversation, type CallOperation } from '../conversations.ts'
import { isRecord, recordAt, type JsonObject } from '../json.ts'
import { toolsOf } from '../requested-tools.ts'
import { noteContent } from './content.ts'
import { Found, isAsked } from './found.ts'
import { noteContainer, noteTool } from './tools.ts'

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
  if (Object.keys(body).some((name) => NOTED_MEMBERS.has(name))) {
    noteMembers(operation, body, found)
    for (const tool of toolsOf(body)) noteTool(operation, tool, found)
  }
  for (const name of CONTENT_MEMBERS) noteContent(body[name], found)
  return found.isAnything ? found : undefined
}

/** Members of Responses that refer to state kept by the vendor. */
const keptMembers = ['previous_response_id', 'conversation', 'prompt'] as const
/** The same of Messages. */
const keptByMessages = 'thread'
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
  keptByMessages,
  ...storedMembers,
  ...serverMembers,
  ...CONTENT_MEMBERS,
  'container',
  'documents',
  'extra_body',
  'tools',
]

/** Most requests have none of these; looking at the few names that they have takes less time. */
const NOTED_MEMBERS: ReadonlySet<string> = new Set([
  ...uncountedMembers.filter((name) => !CONTENT_MEMBERS.some((each) => each === name)),
  // Items of Responses contain tools.
  'input',
])

function noteMembers(operation: CallOperation, body: JsonObject, found: Found): void {
  const isResponse = operation === 'responses' || operation === 'compact'
  if (isResponse) for (const name of keptMembers) if (isAsked(body[name])) found.kept(name)
  if (operation === 'messages' && isAsked(body[keptByMessages])) found.kept(keptByMessages)
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

/** xAI and Baidu allow the member to be present with a value that disables the search. */
function isSwitchedOff(value: unknown): boolean {
  return isRecord(value) && (value['mode'] === 'off' || value['enable'] === false)
}
