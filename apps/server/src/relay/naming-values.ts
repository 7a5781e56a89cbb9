import { isRecord, type JsonObject } from '@tollgate/dialects/json'

type Step = string | number

/** The value at a path; `undefined` where there is none. */
export function readPath(body: unknown, path: readonly Step[]): unknown {
  let value = body
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step]
    else if (isRecord(value) && typeof step === 'string' && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

/** A copy of the body with another value at a path; `undefined` removes the member. */
export function replaceAt(body: JsonObject, [step, ...rest]: readonly Step[], value: unknown): JsonObject {
  if (typeof step !== 'string') return body
  const next = rest.length === 0 ? value : changed(body[step], rest, value)
  const others = Object.entries(body).filter(([name]) => name !== step)
  return next === undefined ? Object.fromEntries(others) : { ...body, [step]: next }
}

function changed(within: unknown, path: readonly Step[], value: unknown): unknown {
  const [step, ...rest] = path
  if (Array.isArray(within) && typeof step === 'number')
    return within.map((item: unknown, index) => {
      if (index !== step) return item
      return rest.length === 0 ? value : changed(item, rest, value)
    })
  return isRecord(within) ? replaceAt(within, path, value) : within
}

/**
 * The models that a member names: one name, or a list of names or of objects with a `model`. A text that names
 * a vendor's own choice, such as `default`, counts as a name too.
 */
export function listModels(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((item) => readName(item) ?? [])
}

/** The same value with the allowed names only; `undefined` if none is left. */
export function keepNames(value: unknown, allowed: ReadonlySet<string>): unknown {
  if (value === null || value === '') return value
  if (!Array.isArray(value)) return isAllowed(value, allowed) ? value : undefined
  const kept = value.filter((item: unknown) => isAllowed(item, allowed))
  if (kept.length === value.length) return value
  return kept.length === 0 ? undefined : kept
}

function isAllowed(item: unknown, allowed: ReadonlySet<string>): boolean {
  const name = readName(item)
  return name !== undefined && allowed.has(name)
}

/** The value with each name replaced, as a channel maps names. */
export function mapNames(value: unknown, map: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapNames(item, map))
  if (typeof value === 'string') return map(value)
  const name = readName(value)
  return name !== undefined && isRecord(value) ? { ...value, model: map(name) } : value
}

function readName(item: unknown): string | undefined {
  if (typeof item === 'string') return item
  const model = isRecord(item) ? item['model'] : undefined
  return typeof model === 'string' ? model : undefined
}
