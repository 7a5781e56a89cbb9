import { plainName } from '@tollgate/catalogue/names/plain-name'

/**
 * Whether two names are one model: vendors answer with the dated name of an alias, and resellers put their own
 * words before a name.
 */
export function isSameModel(left: string, right: string): boolean {
  return left === right || undated(plainName(left)) === undated(plainName(right))
}

/** `gpt-4o-2024-08-06`, `mistral-large-2411`, `gemini-2.0-flash-001` and `mistral-large-latest`. */
const DATE = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{3}|\d{2}-\d{2}|latest)$/

function undated(name: string): string {
  return name.replace(DATE, '')
}
