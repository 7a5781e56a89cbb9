/** Helpers for reading untyped JSON. */
export type Json = Readonly<Record<string, unknown>>

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function objectsOf(value: unknown): readonly Json[] {
  return listOf(value).map(objectOf)
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns a string as it is, or the texts of a list of content parts. */
export function textsOf(value: unknown): string {
  if (typeof value === 'string') return value
  return objectsOf(value)
    .map((part) => textOf(part['text']))
    .join('\n')
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
