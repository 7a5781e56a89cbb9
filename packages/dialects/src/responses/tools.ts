import type { BuiltinTool, SearchOptions, Tool, ToolChoice } from '../canonical/tool.ts'
import { told } from '../canonical/told.ts'
import { problem } from '@tollgate/kit/problem'
import { isRecord, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'

export function readTools(body: JsonObject): Tool[] {
  const tools = body['tools'] ?? []
  if (!Array.isArray(tools) || !tools.every(isRecord)) throw problem('member_invalid', { param: 'tools' })
  return tools.map(readTool)
}

const KNOWN = new Set(['type', 'name', 'description', 'parameters', 'strict'])

function readTool(tool: JsonObject): Tool {
  const type = textAt(tool, 'type') ?? ''
  if (type !== 'function' && type !== 'custom') return builtin(tool, type)
  const name = textAt(tool, 'name')
  if (name === undefined) throw problem('member_missing', { param: 'tools.name' })
  const description = textAt(tool, 'description')
  if (type === 'custom') {
    const format = recordAt(tool, 'format')
    return {
      type,
      name,
      ...told({ description }),
      ...(format && { format: { dialect: 'responses', value: format } }),
    }
  }
  const rest = Object.entries(tool).filter(([member]) => !KNOWN.has(member))
  return {
    type,
    name,
    ...told({
      description,
      parameters: recordAt(tool, 'parameters'),
      isStrict: typeof tool['strict'] === 'boolean' ? tool['strict'] : undefined,
    }),
    ...(rest.length > 0
      ? { extras: { dialect: 'responses' as const, value: Object.fromEntries(rest) } }
      : {}),
  }
}

function builtin(tool: JsonObject, type: string): BuiltinTool {
  const raw = { dialect: 'responses' as const, value: tool }
  if (type.startsWith('web_search'))
    return { type: 'builtin', kind: 'web-search', search: searchOf(tool), raw }
  return { type: 'builtin', kind: type === 'code_interpreter' ? 'code-execution' : 'other', raw }
}

const sizes = ['low', 'medium', 'high'] as const

function searchOf(tool: JsonObject): SearchOptions {
  const domains: unknown = recordAt(tool, 'filters')?.['allowed_domains']
  const location = recordAt(tool, 'user_location')
  return told({
    contextSize: sizes.find((size) => size === tool['search_context_size']),
    allowedDomains: Array.isArray(domains) ? domains.filter((each) => typeof each === 'string') : undefined,
    location: location && placeOf(location),
  })
}

function placeOf(location: JsonObject): NonNullable<SearchOptions['location']> {
  return told({
    city: textAt(location, 'city'),
    region: textAt(location, 'region'),
    country: textAt(location, 'country'),
    timezone: textAt(location, 'timezone'),
  })
}

export function writeTools(tools: readonly Tool[]): Record<string, unknown>[] {
  return tools.flatMap((tool) => writeTool(tool))
}

function writeTool(tool: Tool): Record<string, unknown>[] {
  if (tool.type === 'builtin') return writeBuiltin(tool)
  const { name, description } = tool
  if (tool.type === 'custom') {
    const format = tool.format?.dialect === 'responses' ? tool.format.value : undefined
    return [{ type: 'custom', name, ...told({ description, format }) }]
  }
  const extras = tool.extras?.dialect === 'responses' ? tool.extras.value : {}
  const parameters = tool.parameters ?? { type: 'object', properties: {} }
  // A tool is strict unless told otherwise here, and not strict unless told so elsewhere.
  return [
    {
      ...extras,
      type: 'function',
      name,
      ...told({ description }),
      parameters,
      strict: tool.isStrict ?? false,
    },
  ]
}

function writeBuiltin({ kind, raw, search = {} }: BuiltinTool): Record<string, unknown>[] {
  if (raw.dialect === 'responses') return [{ ...raw.value }]
  if (kind === 'code-execution') return [{ type: 'code_interpreter', container: { type: 'auto' } }]
  if (kind !== 'web-search') return []
  const { contextSize, allowedDomains, location } = search
  return [
    {
      type: 'web_search',
      ...told({
        search_context_size: contextSize,
        filters: allowedDomains && { allowed_domains: [...allowedDomains] },
        user_location: location && { type: 'approximate', ...location },
      }),
    },
  ]
}

export function readToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined) return undefined
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice }
  if (!isRecord(choice)) throw problem('member_invalid', { param: 'tool_choice' })
  const name = textAt(choice, 'name')
  if ((choice['type'] === 'function' || choice['type'] === 'custom') && name !== undefined)
    return { type: 'tool', name }
  if (choice['type'] === 'allowed_tools') {
    const names = recordsAt(choice, 'tools').flatMap((tool) => textAt(tool, 'name') ?? [])
    return { type: 'allowed', names, isRequired: choice['mode'] === 'required' }
  }
  return { type: 'other', raw: { dialect: 'responses', value: choice } }
}

export function writeToolChoice(choice: ToolChoice, tools: readonly Tool[]): unknown {
  if (choice.type === 'other') return choice.raw.dialect === 'responses' ? choice.raw.value : undefined
  const customNames = new Set(tools.flatMap((tool) => (tool.type === 'custom' ? [tool.name] : [])))
  const named = (name: string) => ({ type: customNames.has(name) ? 'custom' : 'function', name })
  if (choice.type === 'tool') return named(choice.name)
  if (choice.type !== 'allowed') return choice.type
  return {
    type: 'allowed_tools',
    mode: choice.isRequired ? 'required' : 'auto',
    tools: choice.names.map(named),
  }
}
