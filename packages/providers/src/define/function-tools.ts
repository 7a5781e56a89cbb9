import type { Tool } from '@tollgate/dialects/canonical/tool'
import type { JsonObject } from '@tollgate/dialects/json'

/** A function as most formats write it; the schema of one without parameters is that of an empty object. */
export interface FunctionTool {
  readonly name: string
  readonly description: string | undefined
  readonly parameters: JsonObject
}

/** Returns the functions among tools; formats of single vendors have no other tools. */
export function functionsIn(tools: readonly Tool[]): readonly FunctionTool[] {
  return tools.flatMap((tool) => {
    if (tool.type !== 'function') return []
    const { name, description, parameters = { type: 'object', properties: {} } } = tool
    return [{ name, description, parameters }]
  })
}
