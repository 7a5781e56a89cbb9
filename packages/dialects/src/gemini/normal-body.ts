import { problem } from '@tollgate/problems/problem'
import { isRecord, type JsonObject } from '../json.ts'
import { geminiProtocol, type GeminiMessage, type ProtocolMember } from './protocol.ts'

/**
 * Rewrites a body as protobuf understands it: each member of the protocol in camel case, its own enums in
 * capitals, and members that are `null` left out. What belongs to the caller and unknown members stay as they
 * are. Returns the same object if nothing changes. Throws a problem for a member in two spellings.
 */
export function normalizeBody(body: JsonObject, message: GeminiMessage): JsonObject {
  const members = geminiProtocol[message]
  let entries: [string, unknown][] | undefined
  const names = Object.keys(body)
  for (const [index, name] of names.entries()) {
    const member = members.get(name)
    const value = body[name]
    const isOdd = member !== undefined && member.name !== name
    if (isOdd && Object.hasOwn(body, member.name)) throw problem('member_repeated', { param: member.name })
    const normal = member === undefined ? value : normalizeValue(value, member)
    const isUnset = member !== undefined && normal === undefined
    if (entries === undefined && !isOdd && !isUnset && normal === value) continue
    entries ??= names.slice(0, index).map((each) => [each, body[each]])
    if (!isUnset) entries.push([member?.name ?? name, normal])
  }
  return entries === undefined ? body : Object.fromEntries(entries)
}

/** Returns `undefined` for a member that is not set. */
function normalizeValue(value: unknown, member: ProtocolMember): unknown {
  const { kind, message, isList } = member
  // A `null` of the caller's own, such as a default, is a value; a message or a text is not set by it.
  if (value === null) return kind === 'user' && NULL_IS_A_VALUE.has(member.name) ? value : undefined
  if (typeof value !== 'object')
    return kind === 'enum' && typeof value === 'string' ? inCapitals(value) : value
  if (kind === 'enum') return Array.isArray(value) ? eachChanged(value, capitalized) : value
  if (message === undefined) return value
  if (kind === 'map') return isRecord(value) ? normalizeMap(value, message) : value
  if (!isRecord(value))
    return Array.isArray(value) ? eachChanged(value, (each) => inside(each, message)) : value
  const normal = normalizeBody(value, message)
  // Google also takes one message where a list is expected.
  return isList ? [normal] : normal
}

/** Members of the type `Value`, where `null` can be said. */
const NULL_IS_A_VALUE: ReadonlySet<string> = new Set(['default', 'example', 'enum'])

function inside(value: unknown, message: GeminiMessage): unknown {
  return isRecord(value) ? normalizeBody(value, message) : value
}

function normalizeMap(map: JsonObject, message: GeminiMessage): JsonObject {
  const entries = Object.entries(map)
  const normal = entries.map(([name, value]): [string, unknown] => [name, inside(value, message)])
  return normal.every(([, value], index) => value === entries[index]?.[1]) ? map : Object.fromEntries(normal)
}

function eachChanged(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change)
  return changed.every((value, index) => value === list[index]) ? list : changed
}

function capitalized(value: unknown): unknown {
  return typeof value === 'string' ? inCapitals(value) : value
}

/** Names of the protocol are plain words; anything else is left to the upstream to judge. */
function inCapitals(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name) || !/^\w{1,64}$/.test(name) ? name : name.toUpperCase()
}
