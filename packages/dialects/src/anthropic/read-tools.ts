import { problem } from '@tollgate/problems/problem'
import type { Conversation } from '../canonical/conversation.ts'
import { flag, numberOf, recordOf, recordsOf, textsOf, unknownMembers } from '../canonical/members.ts'
import type { BuiltinTool, SearchOptions, Tool, ToolChoice } from '../canonical/tool.ts'
import { recordAt, textAt, type JsonObject } from '../json.ts'
import { readLocation } from '../canonical/tool-members.ts'
import { readCache } from '../canonical/cache-marker.ts'

type ToolMembers = Pick<Conversation, 'tools' | 'toolChoice' | 'parallelToolCalls'>

export function readTools(body: JsonObject): ToolMembers {
  const choice = recordOf(body, 'tool_choice')
  const isSerial = choice !== undefined && flag(choice, 'disable_parallel_tool_use') === true
  return {
    tools: recordsOf(body, 'tools').map(readTool),
    toolChoice: choice && readChoice(choice),
    parallelToolCalls: isSerial ? false : undefined,
  }
}

function readTool(tool: JsonObject): Tool {
  const type = textAt(tool, 'type') ?? 'custom'
  return type === 'custom' ? readFunction(tool) : readBuiltin(tool, type)
}

const knownOfFunction = new Set(['type', 'name', 'description', 'input_schema', 'cache_control', 'strict'])

function readFunction(tool: JsonObject): Tool {
  const name = textAt(tool, 'name')
  if (name === undefined) throw problem('member_missing', { param: 'tools.name' })
  return {
    type: 'function',
    name,
    description: textAt(tool, 'description'),
    parameters: recordAt(tool, 'input_schema'),
    isStrict: flag(tool, 'strict'),
    cache: readCache(tool),
    extras: unknownMembers(tool, knownOfFunction, 'anthropic'),
  }
}

/** The type of an Anthropic built-in tool ends with a date: `web_search_20250305`. */
function readBuiltin(tool: JsonObject, type: string): BuiltinTool {
  const raw = { dialect: 'anthropic' as const, value: tool }
  if (type.startsWith('web_search_')) {
    return { type: 'builtin', kind: 'web-search', search: readSearch(tool), raw }
  }
  if (type.startsWith('web_fetch_')) return { type: 'builtin', kind: 'web-fetch', raw }
  if (type.startsWith('code_execution_')) return { type: 'builtin', kind: 'code-execution', raw }
  if (type.startsWith('tool_search_tool_')) return { type: 'builtin', kind: 'tool-search', raw }
  return { type: 'builtin', kind: 'other', raw }
}

function readSearch(tool: JsonObject): SearchOptions {
  const near = recordAt(tool, 'user_location')
  const allowed = textsOf(tool, 'allowed_domains')
  const blocked = textsOf(tool, 'blocked_domains')
  return {
    usesMax: numberOf(tool, 'max_uses'),
    allowedDomains: allowed.length > 0 ? allowed : undefined,
    blockedDomains: blocked.length > 0 ? blocked : undefined,
    location: near && readLocation(near),
  }
}

function readChoice(choice: JsonObject): ToolChoice {
  const type = choice['type']
  if (type === 'auto' || type === 'none') return { type }
  if (type === 'any') return { type: 'required' }
  const name = textAt(choice, 'name')
  if (type === 'tool' && name !== undefined) return { type: 'tool', name }
  throw problem('member_invalid', { param: 'tool_choice' })
}
