import { isRecord, type JsonObject } from '../json.ts'
import { spellSnake } from './protocol.ts'

/** Returns a member by its camel case name or by its `snake_case` name; Gemini accepts both. */
export function memberOf(object: JsonObject, name: string): unknown {
  return object[name] ?? object[spellSnake(name)] ?? undefined
}

export function recordOf(object: JsonObject, name: string): Record<string, unknown> | undefined {
  const value = memberOf(object, name)
  return isRecord(value) ? value : undefined
}

export function listOf(object: JsonObject, name: string): readonly unknown[] {
  const value = memberOf(object, name)
  return Array.isArray(value) ? value : []
}

export function recordsOf(object: JsonObject, name: string): readonly Record<string, unknown>[] {
  return listOf(object, name).filter(isRecord)
}

export function textOf(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(object: JsonObject, name: string): number | undefined {
  const value = memberOf(object, name)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function textsOf(object: JsonObject, name: string): string[] {
  return listOf(object, name).filter((each) => typeof each === 'string')
}

/** Returns the object without the known members; `undefined` if nothing is left. */
export function restOf(object: JsonObject, known: Iterable<string>): Record<string, unknown> | undefined {
  const names = new Set([...known].flatMap((name) => [name, spellSnake(name)]))
  const entries = Object.entries(object).filter(([name]) => !names.has(name))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** The spelling in which an object has a member; camel case if it has none. */
export function spellingIn(object: JsonObject, name: string): string {
  const snake = spellSnake(name)
  return Object.hasOwn(object, snake) ? snake : name
}
