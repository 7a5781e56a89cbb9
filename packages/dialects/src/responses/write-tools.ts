import { rawFor } from '../canonical/raw.ts'
import type { BuiltinTool, CustomTool, FunctionTool, Tool, ToolChoice } from '../canonical/tool.ts'
import type { JsonObject } from '../json.ts'

/** Writes the tools; those of one namespace become one entry, in the place of the first. */
export function writeTools(tools: readonly Tool[]): JsonObject[] {
  const written: JsonObject[] = []
  const groups = new Map<string, JsonObject[]>()
  for (const tool of tools) {
    const namespace = tool.type === 'builtin' ? undefined : tool.namespace
    const into = namespace === undefined ? written : groups.get(namespace.name)
    if (into !== undefined) into.push(...writeTool(tool))
    else if (namespace !== undefined) {
      const group = writeTool(tool)
      groups.set(namespace.name, group)
      const { name, description = '' } = namespace
      written.push({ type: 'namespace', name, description, tools: group })
    }
  }
  return written
}

/**
 * The only limit in this dialect covers all built-in tools together, so it is sent only if all of them are
 * searches.
 */
export function searchesMax(tools: readonly Tool[]): number | undefined {
  const uses = tools
    .filter((tool) => tool.type === 'builtin')
    .map(({ kind, search }) => (kind === 'web-search' ? search?.usesMax : undefined))
  const isTold = uses.length > 0 && uses.every((each) => each !== undefined)
  return isTold ? uses.reduce((sum, each) => sum + (each ?? 0), 0) : undefined
}

function writeTool(tool: Tool): JsonObject[] {
  if (tool.type === 'builtin') return writeBuiltin(tool)
  return [tool.type === 'custom' ? writeCustom(tool) : writeFunction(tool)]
}

function writeCustom({ name, description, format }: CustomTool): JsonObject {
  return {
    type: 'custom',
    name,
    description,
    format: format && { type: 'grammar', ...format },
  }
}

function writeFunction(tool: FunctionTool): JsonObject {
  const { name, description, isStrict, isToolSearch } = tool
  const parameters = tool.parameters ?? { type: 'object', properties: {} }
  if (isToolSearch === true) return { type: 'tool_search', execution: 'client', description, parameters }
  return {
    ...rawFor(tool.extras, 'responses'),
    type: 'function',
    name,
    description,
    parameters,
    // In Responses a tool is strict by default; in other dialects it is not.
    strict: isStrict ?? false,
  }
}

function writeBuiltin({ kind, raw, search = {} }: BuiltinTool): JsonObject[] {
  const own = rawFor(raw, 'responses')
  if (own !== undefined) return [own]
  if (kind === 'code-execution') return [{ type: 'code_interpreter', container: { type: 'auto' } }]
  if (kind !== 'web-search') return []
  const { contextSize, allowedDomains, location } = search
  return [
    {
      type: 'web_search',
      search_context_size: contextSize,
      filters: allowedDomains && { allowed_domains: [...allowedDomains] },
      user_location: location && { type: 'approximate', ...location },
    },
  ]
}

export function writeToolChoice(choice: ToolChoice, tools: readonly Tool[]): unknown {
  if (choice.type === 'other') return rawFor(choice.raw, 'responses')
  const customNames = new Set(tools.flatMap((tool) => (tool.type === 'custom' ? [tool.name] : [])))
  const named = (name: string) => ({ type: customNames.has(name) ? 'custom' : 'function', name })
  if (choice.type === 'tool') return { ...named(choice.name), namespace: choice.namespace }
  if (choice.type !== 'allowed') return choice.type
  return {
    type: 'allowed_tools',
    mode: choice.isRequired ? 'required' : 'auto',
    tools: choice.names.map(named),
  }
}
