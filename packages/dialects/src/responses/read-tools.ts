import { unknownMembers } from '../canonical/members.ts'
import { problem } from '@tollgate/problems/problem'
import { readGrammar, readLocation } from '../canonical/tool-members.ts'
import type {
  BuiltinTool,
  CustomTool,
  FunctionTool,
  SearchOptions,
  Tool,
  ToolChoice,
  ToolNamespace,
} from '../canonical/tool.ts'
import { isRecord, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'

/**
 * Reads the tools of a body, or of an item that adds some. `param` is the name of the list in error messages.
 */
export function readTools(body: JsonObject, param = 'tools'): Tool[] {
  const tools = body['tools'] ?? []
  if (!Array.isArray(tools) || !tools.every(isRecord)) throw problem('member_invalid', { param })
  return tools.flatMap((tool) => readTool(tool, param))
}

function readTool(tool: JsonObject, param: string): Tool[] {
  const type = textAt(tool, 'type') ?? ''
  if (type === 'namespace') return readNamespace(tool, param)
  if (type === 'function') return [readFunction(tool, param)]
  if (type === 'custom') return [readCustom(tool, param)]
  return [
    type === 'tool_search' && tool['execution'] === 'client' ? readToolSearch(tool) : builtin(tool, type),
  ]
}

/** https://platform.openai.com/docs/guides/function-calling#defining-namespaces */
function readNamespace(group: JsonObject, param: string): Tool[] {
  const name = nameOf(group, param)
  const namespace: ToolNamespace = { name, description: textAt(group, 'description') }
  const tools = group['tools'] ?? []
  if (!Array.isArray(tools) || !tools.every(isRecord))
    throw problem('member_invalid', { param: `${param}.tools` })
  return tools.map((tool) => {
    if (tool['type'] === 'function') return { ...readFunction(tool, `${param}.tools`), namespace }
    if (tool['type'] === 'custom') return { ...readCustom(tool, `${param}.tools`), namespace }
    throw problem('member_invalid', { param: `${param}.tools.type` })
  })
}

function nameOf(tool: JsonObject, param: string): string {
  const name = textAt(tool, 'name')
  if (name === undefined) throw problem('member_missing', { param: `${param}.name` })
  return name
}

const KNOWN = new Set(['type', 'name', 'description', 'parameters', 'strict'])

function readFunction(tool: JsonObject, param: string): FunctionTool {
  return {
    type: 'function',
    name: nameOf(tool, param),
    description: textAt(tool, 'description'),
    parameters: recordAt(tool, 'parameters'),
    isStrict: typeof tool['strict'] === 'boolean' ? tool['strict'] : undefined,
    extras: unknownMembers(tool, KNOWN, 'responses'),
  }
}

function readCustom(tool: JsonObject, param: string): CustomTool {
  return {
    type: 'custom',
    name: nameOf(tool, param),
    description: textAt(tool, 'description'),
    format: readGrammar(tool, `${param}.format`, (format) => format),
  }
}

/** Name for calls of a tool search in other dialects. */
export const TOOL_SEARCH = 'tool_search'

/** Reads a tool search that the caller runs. https://platform.openai.com/docs/guides/tools-tool-search */
function readToolSearch(tool: JsonObject): FunctionTool {
  const members = {
    description: textAt(tool, 'description'),
    parameters: recordAt(tool, 'parameters'),
  }
  return { type: 'function', name: TOOL_SEARCH, isToolSearch: true, ...members }
}

function builtin(tool: JsonObject, type: string): BuiltinTool {
  const raw = { dialect: 'responses' as const, value: tool }
  if (type.startsWith('web_search'))
    return { type: 'builtin', kind: 'web-search', search: searchOf(tool), raw }
  if (type === TOOL_SEARCH) return { type: 'builtin', kind: 'tool-search', raw }
  return { type: 'builtin', kind: type === 'code_interpreter' ? 'code-execution' : 'other', raw }
}

const sizes = ['low', 'medium', 'high'] as const

function searchOf(tool: JsonObject): SearchOptions {
  const filters = recordAt(tool, 'filters') ?? {}
  const location = recordAt(tool, 'user_location')
  return {
    contextSize: sizes.find((size) => size === tool['search_context_size']),
    allowedDomains: domainsIn(filters, 'allowed_domains'),
    blockedDomains: domainsIn(filters, 'blocked_domains'),
    location: location && readLocation(location),
  }
}

function domainsIn(filters: JsonObject, member: string): readonly string[] | undefined {
  const domains: unknown = filters[member]
  return Array.isArray(domains) ? domains.filter((each) => typeof each === 'string') : undefined
}

export function readNamedChoice(choice: JsonObject): ToolChoice {
  const name = textAt(choice, 'name')
  if ((choice['type'] === 'function' || choice['type'] === 'custom') && name !== undefined)
    return { type: 'tool', name, namespace: textAt(choice, 'namespace') }
  if (choice['type'] === 'allowed_tools') {
    const names = recordsAt(choice, 'tools').flatMap((tool) => flatNameIn(tool) ?? [])
    return { type: 'allowed', names, isRequired: choice['mode'] === 'required' }
  }
  return { type: 'other', raw: { dialect: 'responses', value: choice } }
}

function flatNameIn(tool: JsonObject): string | undefined {
  const name = textAt(tool, 'name')
  const namespace = textAt(tool, 'namespace')
  return name === undefined || namespace === undefined ? name : `${namespace}__${name}`
}
