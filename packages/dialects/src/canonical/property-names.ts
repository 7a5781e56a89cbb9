import { isRecord } from '../json.ts'
import { parseTextObject } from '../json-limits.ts'

/** The names of arguments by those that another party knows. */
export type PropertyNames = ReadonlyMap<string, string>

/** Renames arguments at every depth. What is not a JSON object stays as it is. */
export function renameArguments(written: string, names: PropertyNames): string {
  const value = parseTextObject(written)
  return value === undefined ? written : JSON.stringify(renameKeys(value, names))
}

function renameKeys(value: unknown, names: PropertyNames): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, names))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [names.get(name) ?? name, renameKeys(inner, names)]),
  )
}
