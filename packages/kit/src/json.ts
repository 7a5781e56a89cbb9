/** A parsed JSON object whose members have not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A string, or bytes of UTF-8. */
interface JsonText {
  toString(encoding?: 'utf8'): string
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns `undefined` for text that is not JSON. */
export function parseJson(text: JsonText): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined
  }
}

/** Parses a JSON object; `undefined` for anything else. */
export function parseObject(text: JsonText): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return isRecord(value) ? value : undefined
}
