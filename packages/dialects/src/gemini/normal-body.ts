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
  let index = 0
  for (const name in body) {
    const value = body[name]
    const member = members.get(name)
    const written = member?.name ?? name
    if (written !== name && Object.hasOwn(body, written)) throw problem('member_repeated', { param: written })
    const normal = member === undefined ? value : normalizeValue(value, member)
    if (entries !== undefined || written !== name || normal !== value) {
      entries ??= Object.entries(body).slice(0, index)
      if (member === undefined || normal !== undefined) entries.push([written, normal])
    }
    index++
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

/** In one pass: a second one at each level would double the work with every level. */
function normalizeMap(map: JsonObject, message: GeminiMessage): JsonObject {
  let entries: [string, unknown][] | undefined
  let index = 0
  for (const name in map) {
    const normal = inside(map[name], message)
    if (entries === undefined && normal !== map[name]) entries = Object.entries(map).slice(0, index)
    entries?.push([name, normal])
    index++
  }
  return entries === undefined ? map : Object.fromEntries(entries)
}

function eachChanged(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [index, value] of list.entries()) {
    const next = change(value)
    if (changed === undefined && next !== value) changed = list.slice(0, index)
    changed?.push(next)
  }
  return changed ?? list
}

function capitalized(value: unknown): unknown {
  return typeof value === 'string' ? inCapitals(value) : value
}

/** Names that need no change, remembered because each schema has the same few. */
const capitals = new Set<string>()
const CAPITALS_MAX = 500

/** Names of the protocol are plain words; anything else is left to the upstream to judge. */
function inCapitals(name: string): string {
  if (capitals.has(name)) return name
  const isLeft = /^[A-Z][A-Z0-9_]*$/.test(name) || !/^\w{1,64}$/.test(name)
  if (isLeft && name.length <= 64 && capitals.size < CAPITALS_MAX) capitals.add(name)
  return isLeft ? name : name.toUpperCase()
}
