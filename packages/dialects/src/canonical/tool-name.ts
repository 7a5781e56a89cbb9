import { createHash } from 'node:crypto'

/** The name of a tool as its caller defined it. Only Responses groups tools in namespaces. */
export interface ToolName {
  readonly name: string
  readonly namespace?: string
}

/** Joins namespace and name for upstreams that have no namespaces. */
const SEPARATOR = '__'
const NAME_CHARACTERS_MAX = 64
const HASH_CHARACTERS = 8

/** Tool names that OpenAI, Anthropic and most other vendors accept. */
export const PLAIN_TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
/**
 * Gemini also accepts dots and colons, but no leading digit.
 * https://ai.google.dev/api/caching#FunctionDeclaration
 */
export const GEMINI_TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/

/**
 * Returns the single name under which an upstream knows a tool: `crm` and `search` become `crm__search`. A
 * name that the upstream would reject is shortened and made unique by a hash. The hash is the same in every
 * request of a conversation, so that prompt caches still match.
 */
export function flatName(tool: ToolName, accepted: RegExp): string {
  const { name, namespace } = tool
  const flat = namespace === undefined ? name : namespace + SEPARATOR + name
  return accepted.test(flat) ? flat : hashedName(tool)
}

/** Returns a name with a hash; `attempt` counts up where another tool has it already. */
export function hashedName({ name, namespace = '' }: ToolName, attempt = 0): string {
  const text = `${namespace}\0${name}${attempt === 0 ? '' : `\0${attempt}`}`
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS)
  const plain = (namespace === '' ? name : namespace + SEPARATOR + name).replaceAll(/[^a-zA-Z0-9_-]/g, '_')
  const beginning = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`
  return `${beginning.slice(0, NAME_CHARACTERS_MAX - HASH_CHARACTERS - 1)}_${hash}`
}
