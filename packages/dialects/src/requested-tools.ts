import { recordAt, recordsAt, type JsonObject } from './json.ts'

/**
 * Returns all tools of a request, given as a list or as the single object that Gemini also accepts, including
 * those inside namespaces and those that items of Responses contain.
 */
export function toolsOf(body: JsonObject): readonly JsonObject[] {
  if (body['tools'] === undefined && !Array.isArray(body['input'])) return NONE
  return [...listedTools(body), ...recordsAt(body, 'input').flatMap(listedTools)].flatMap(withMembers)
}

const NONE: readonly JsonObject[] = []

function listedTools(holder: JsonObject): readonly JsonObject[] {
  const one = recordAt(holder, 'tools')
  return one === undefined ? recordsAt(holder, 'tools') : [one]
}

/** A namespace is replaced by its tools. */
function withMembers(tool: JsonObject): readonly JsonObject[] {
  return tool['type'] === 'namespace' ? listedTools(tool).flatMap(withMembers) : [tool]
}
