import { isRecord, type JsonObject } from '../json.ts'

/**
 * Resolves a reference such as `#/$defs/Node` within a JSON schema; `undefined` if there is nothing there, or
 * if it points to another document.
 */
export function resolveReference(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#')) return undefined
  let target: unknown = root
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = decoded(step)?.replaceAll('~1', '/').replaceAll('~0', '~')
    if (name === undefined || !isRecord(target) || !Object.hasOwn(target, name)) return undefined
    target = target[name]
  }
  return isRecord(target) ? target : undefined
}

function decoded(step: string): string | undefined {
  try {
    return decodeURIComponent(step)
  } catch {
    return undefined
  }
}
