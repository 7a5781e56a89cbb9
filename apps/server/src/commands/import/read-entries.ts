import { isRecord, parseJson } from '@tollgate/kit/json'

/** A setting whose wrong entries were left out. */
export interface ReadEntries {
  readonly text: string
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
}

/**
 * Checks the entries of a JSON map or list one by one, so that one wrong entry does not take the others with it.
 * Returns `undefined` when the text has no entries or none is right. `check` returns why an entry is refused.
 */
export function readEntries(
  text: string,
  check: (text: string) => string | undefined,
): ReadEntries | undefined {
  const value = parseJson(text)
  const refused: { name: string; reason: string }[] = []
  const keeps = (name: string, alone: unknown): boolean => {
    const reason = check(JSON.stringify(alone))
    if (reason !== undefined) refused.push({ name, reason })
    return reason === undefined
  }
  const kept = Array.isArray(value)
    ? value.filter((entry: unknown, place) => keeps(`entry ${place + 1}`, [entry]))
    : isRecord(value)
      ? Object.entries(value).filter(([name, entry]) => keeps(name, { [name]: entry }))
      : []
  if (kept.length === 0 || refused.length === 0) return undefined
  const all = JSON.stringify(Array.isArray(value) ? kept : Object.fromEntries(kept))
  return check(all) === undefined ? { text: all, refused } : undefined
}
