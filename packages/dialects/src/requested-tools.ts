import { recordAt, recordsAt, type JsonObject } from './json.ts'

/**
 * Tools in one list, or the one object that Gemini also takes; with those that are in a namespace, and those that items
 * of Responses bring.
 */
export function toolsOf(body: JsonObject): readonly JsonObject[] {
  return [...listedTools(body), ...recordsAt(body, 'input').flatMap(listedTools)].flatMap(withMembers)
}

function listedTools(holder: JsonObject): readonly JsonObject[] {
  const one = recordAt(holder, 'tools')
  return one === undefined ? recordsAt(holder, 'tools') : [one]
}

/** A namespace stands for its tools. */
function withMembers(tool: JsonObject): readonly JsonObject[] {
  return tool['type'] === 'namespace' ? listedTools(tool).flatMap(withMembers) : [tool]
}
