import type { JsonObject } from '../../json.ts'
import { normalizeSchema, type SchemaDemands } from './normalize-schema.ts'
import { mergeIntoObject } from './top-object.ts'

/**
 * Rewrites the schema of a tool's arguments in the form that the target takes: an object at the top, the newest
 * draft inside. What cannot be said there becomes text of the description.
 */
export function normalizeToolSchema(schema: JsonObject, demands: SchemaDemands): JsonObject {
  const top = mergeIntoObject(schema)
  return normalizeSchema(top, { ...demands, root: top })
}
