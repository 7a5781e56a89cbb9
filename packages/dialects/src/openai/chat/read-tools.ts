import { problem } from '@tollgate/problems/problem'
import type { Conversation } from '../../canonical/conversation.ts'
import { flag, recordOf, recordsOf, unknownMembers } from '../../canonical/members.ts'
import type { BuiltinTool, SearchOptions, Tool, ToolChoice } from '../../canonical/tool.ts'
import { recordAt, recordsAt, textAt, type JsonObject } from '../../json.ts'
import { readChoice, readGrammar, readLocation } from '../../canonical/tool-members.ts'
import { readCache } from '../../canonical/cache-marker.ts'

type ToolMembers = Pick<Conversation, 'tools' | 'toolChoice' | 'parallelToolCalls'>

/** Reads tools and tool choice, in the present form and in the older one with `functions`. */
export function readTools(body: JsonObject): ToolMembers {
  const older = recordsOf(body, 'functions').map((definition) => readFunction(definition, {}))
  const search = recordOf(body, 'web_search_options')
  const tools = [
    ...recordsOf(body, 'tools').map(readTool),
    ...older,
    ...(search === undefined ? [] : [readSearch(search)]),
  ]
  return {
    tools,
    toolChoice: readChoice(body['tool_choice'] ?? body['function_call'] ?? undefined, readNamedChoice),
    parallelToolCalls: flag(body, 'parallel_tool_calls'),
  }
}

function readTool(tool: JsonObject): Tool {
  const type = textAt(tool, 'type') ?? 'function'
  const custom = recordAt(tool, 'custom')
  if (type === 'custom' && custom !== undefined) {
    const name = textAt(custom, 'name')
    if (name === undefined) throw problem('member_missing', { param: 'tools.custom.name' })
    return {
      type: 'custom',
      name,
      description: textAt(custom, 'description'),
      format: readGrammar(custom, 'tools.custom.format', (format) => recordAt(format, 'grammar')),
    }
  }
  const definition = recordAt(tool, 'function')
  if (definition !== undefined) return readFunction(definition, tool)
  return { type: 'builtin', kind: 'other', raw: { dialect: 'openai', value: tool } }
}

const knownOfFunction = new Set(['name', 'description', 'parameters', 'strict', 'cache_control'])

function readFunction(definition: JsonObject, tool: JsonObject): Tool {
  const name = textAt(definition, 'name')
  if (name === undefined) throw problem('member_missing', { param: 'tools.function.name' })
  return {
    type: 'function',
    name,
    description: textAt(definition, 'description'),
    parameters: recordAt(definition, 'parameters'),
    isStrict: flag(definition, 'strict'),
    cache: readCache(tool) ?? readCache(definition),
    extras: unknownMembers(definition, knownOfFunction, 'openai'),
  }
}

/** https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat */
function readSearch(options: JsonObject): BuiltinTool {
  const size = textAt(options, 'search_context_size')
  const contextSize = (['low', 'medium', 'high'] as const).find((each) => each === size)
  const near = recordAt(recordAt(options, 'user_location') ?? {}, 'approximate')
  const search: SearchOptions = { contextSize, location: near && readLocation(near) }
  return { type: 'builtin', kind: 'web-search', search, raw: { dialect: 'openai', value: options } }
}

function readNamedChoice(choice: JsonObject): ToolChoice {
  const allowed = recordAt(choice, 'allowed_tools')
  if (allowed !== undefined) {
    const names = recordsAt(allowed, 'tools').flatMap((tool) => nameIn(tool) ?? [])
    return { type: 'allowed', names, isRequired: allowed['mode'] === 'required' }
  }
  const name = nameIn(choice)
  return name === undefined
    ? { type: 'other', raw: { dialect: 'openai', value: choice } }
    : { type: 'tool', name }
}

function nameIn(choice: JsonObject): string | undefined {
  return textAt(recordAt(choice, 'function') ?? recordAt(choice, 'custom') ?? choice, 'name')
}
