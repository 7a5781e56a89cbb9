/**
 * What vendors refuse, written from their documents and from what users were told, and from nothing of the gateway. A
 * rule returns the sentence with which the vendor refuses a body.
 */
export interface StrictRule {
  readonly refuses: (body: Json) => string | undefined
  readonly source: string
  readonly date: string
}

export type Json = Readonly<Record<string, unknown>>

export function list(object: Json, name: string): readonly Json[] {
  const value = object[name]
  return Array.isArray(value) ? value.filter(isJson) : []
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function inner(object: Json, name: string): Json {
  const value = object[name]
  return isJson(value) ? value : {}
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export const PLAIN_NAME = /^[a-zA-Z0-9_-]{1,64}$/

export const wholeTexts: StrictRule = {
  source: 'https://github.com/anthropics/claude-code/issues/72995',
  date: '2026-07-01',
  refuses: (body) =>
    /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i.test(JSON.stringify(body))
      ? 'The request body is not valid JSON: no low surrogate in string'
      : undefined,
}

export function refusedFunction(callee: Json): string | undefined {
  if (!PLAIN_NAME.test(text(callee['name'])))
    return "Invalid 'tools[0].function.name': string does not match pattern '^[a-zA-Z0-9_-]+$'."
  const parameters = inner(callee, 'parameters')
  if (callee['parameters'] !== undefined && parameters['type'] !== 'object')
    return 'Invalid schema for function: schema must be a JSON Schema of type "object"'
  if (hasListWithoutItems(parameters)) return 'Invalid schema for function: array schema missing items'
  return undefined
}

export function hasListWithoutItems(schema: Json): boolean {
  if (schema['type'] === 'array' && !('items' in schema)) return true
  return Object.values(schema).some((value) =>
    Array.isArray(value)
      ? value.some((one) => isJson(one) && hasListWithoutItems(one))
      : isJson(value) && hasListWithoutItems(value),
  )
}
