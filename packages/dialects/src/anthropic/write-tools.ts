import type { Conversation } from '../canonical/conversation.ts'
import { rawFor } from '../canonical/raw.ts'
import type { BuiltinTool, FunctionTool, Tool, ToolChoice } from '../canonical/tool.ts'
import type { JsonObject } from '../json.ts'
import { writeCache } from './write-blocks.ts'

export function writeTools({ tools, toolChoice, parallelToolCalls }: Conversation): JsonObject {
  const written = offered(tools, toolChoice)
    .map(writeTool)
    .filter((tool) => tool !== undefined)
  if (written.length === 0) return {}
  const choice = writeChoice(toolChoice, parallelToolCalls)
  return { tools: written, tool_choice: choice }
}

/** Anthropic's `tool_choice` cannot name a subset of the tools, so only the allowed tools are sent. */
function offered(tools: readonly Tool[], choice: ToolChoice | undefined): readonly Tool[] {
  if (choice?.type !== 'allowed') return tools
  const names = new Set(choice.names)
  return tools.filter((tool) => tool.type !== 'function' || names.has(tool.name))
}

function writeTool(tool: Tool): JsonObject | undefined {
  if (tool.type === 'function') return writeFunction(tool)
  return tool.type === 'builtin' ? writeBuiltin(tool) : undefined
}

const NO_ARGUMENTS = { type: 'object', properties: {} }

function writeFunction({ name, description, parameters, cache, extras }: FunctionTool): JsonObject {
  return {
    ...rawFor(extras, 'anthropic'),
    name,
    description,
    cache_control: cache && writeCache(cache.ttl),
    input_schema: parameters === undefined ? NO_ARGUMENTS : { ...parameters, type: 'object' },
  }
}

const usesBySize = { low: 1, medium: 5, high: 10 } as const

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool */
function writeBuiltin({ kind, raw, search = {} }: BuiltinTool): JsonObject | undefined {
  const own = rawFor(raw, 'anthropic')
  if (own !== undefined || kind !== 'web-search') return own
  const { usesMax, contextSize, allowedDomains, blockedDomains, location } = search
  return {
    type: 'web_search_20250305',
    name: 'web_search',
    max_uses: usesMax ?? (contextSize && usesBySize[contextSize]),
    allowed_domains: allowedDomains,
    blocked_domains: blockedDomains,
    user_location: location && { type: 'approximate', ...location },
  }
}

function writeChoice(
  choice: ToolChoice | undefined,
  isParallel: boolean | undefined,
): JsonObject | undefined {
  const written = choice && wordsFor(choice)
  if (isParallel !== false || written?.['type'] === 'none') return written
  return { ...(written ?? { type: 'auto' }), disable_parallel_tool_use: true }
}

function wordsFor(choice: ToolChoice): JsonObject {
  if (choice.type === 'tool') return { type: 'tool', name: choice.name }
  if (choice.type === 'required' || (choice.type === 'allowed' && choice.isRequired)) return { type: 'any' }
  return { type: choice.type === 'none' ? 'none' : 'auto' }
}
