import type { CallOperation } from '@tollgate/dialects/conversations'
import { recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { ModelTraits, ResponsesReason } from '@tollgate/dialects/traits/model-traits'
import { toolsOf } from '@tollgate/dialects/requested-tools'

/** Whether a call must go to the vendor's Responses endpoint, whichever API the client uses. */
export function needsResponses(
  { responsesFor = [] }: ModelTraits,
  { operation, body }: { readonly operation: CallOperation; readonly body: JsonObject },
): boolean {
  return responsesFor.some((reason) => reasons[reason](body, operation))
}

type Applies = (body: JsonObject, operation: CallOperation) => boolean

const reasons: Readonly<Record<ResponsesReason, Applies>> = {
  everything: () => true,
  tools: hasFunctions,
  'tools-with-effort': (body, operation) => hasFunctions(body, operation) && asksEffort(body),
  'max-effort': (body) => effortIn(body) === 'max',
  search: hasSearch,
}

function hasFunctions(body: JsonObject, operation: CallOperation): boolean {
  const { functions } = body
  if (Array.isArray(functions) && functions.length > 0) return true
  const tools = toolsOf(body)
  return operation === 'generate'
    ? tools.some((tool) => (tool['functionDeclarations'] ?? tool['function_declarations']) !== undefined)
    : tools.some((tool) => !isSearch(tool))
}

/**
 * In chat completions web search is a member of that endpoint, so the call stays there; the vendor decides
 * whether the model supports it.
 */
function hasSearch(body: JsonObject, operation: CallOperation): boolean {
  if (operation === 'chat') return false
  return toolsOf(body).some((tool) =>
    operation === 'generate' ? (tool['googleSearch'] ?? tool['google_search']) !== undefined : isSearch(tool),
  )
}

function isSearch(tool: JsonObject): boolean {
  return textAt(tool, 'type')?.startsWith('web_search') === true
}

/** True for an effort other than `none`, or a thinking configuration that would be converted to one. */
function asksEffort(body: JsonObject): boolean {
  const effort = effortIn(body)
  const config = recordAt(body, 'generationConfig') ?? recordAt(body, 'generation_config') ?? {}
  const thinking =
    recordAt(body, 'thinking') ?? recordAt(config, 'thinkingConfig') ?? recordAt(config, 'thinking_config')
  if (effort !== undefined) return effort !== 'none'
  return thinking !== undefined && textAt(thinking, 'type') !== 'disabled'
}

function effortIn(body: JsonObject): string | undefined {
  return (
    textAt(body, 'reasoning_effort') ??
    textAt(recordAt(body, 'reasoning') ?? {}, 'effort') ??
    textAt(recordAt(body, 'output_config') ?? {}, 'effort')
  )
}
