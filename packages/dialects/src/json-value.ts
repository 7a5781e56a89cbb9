import { isAt } from './bytes-at.ts'
import { skipSpace, stringEnd } from './json-scan.ts'

const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** Larger texts are looked at from their end first, where lists of vectors have their other members. */
const LARGE_BYTES = 256 * 1024
const END_BYTES = 4096

export interface ValueRange {
  readonly start: number
  /** Position just after the last byte of the value. */
  readonly end: number
}

/**
 * Finds the string at `path` in the JSON object that begins at `from`, without parsing anything else, and
 * returns where it stands with its quotes. `undefined`: there is none, or it is no string. Never throws.
 */
export function findString(bytes: Buffer, from: number, path: readonly Buffer[]): ValueRange | undefined {
  const [name, ...others] = path
  if (name === undefined) return undefined
  if (bytes.length - from > LARGE_BYTES && others.length === 0) {
    const value = findNearEnd(bytes, name)
    if (value !== undefined) return value
  }
  const value = findMember(bytes, from, name)
  if (value === undefined) return undefined
  if (others.length > 0) return findString(bytes, value, others)
  return bytes[value] === QUOTE ? { start: value, end: stringEnd(bytes, value) } : undefined
}

/** Position of the value of a member of the object that begins at `from`. */
function findMember(bytes: Buffer, from: number, name: Buffer): number | undefined {
  if (bytes[from] !== OPEN_BRACE) return undefined
  let at = skipSpace(bytes, from + 1)
  while (bytes[at] === QUOTE) {
    const nameEnd = stringEnd(bytes, at)
    const isWanted = nameEnd - at === name.length && isAt(bytes, at, name)
    const colon = skipSpace(bytes, nameEnd)
    if (bytes[colon] !== COLON) return undefined
    const value = skipSpace(bytes, colon + 1)
    if (isWanted) return value
    const end = skipSpace(bytes, skipValue(bytes, value))
    if (bytes[end] !== COMMA) return undefined
    at = skipSpace(bytes, end + 1)
  }
  return undefined
}

function skipValue(bytes: Buffer, start: number): number {
  let depth = 0
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = stringEnd(bytes, at)
      if (depth === 0) return at
      continue
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (byte === COMMA && depth === 0) return at
    at++
  }
  return at
}

/**
 * Finds a member of the outermost object among the last bytes of a text. What follows its value must close
 * exactly one object, so a member inside another one is not taken.
 */
function findNearEnd(bytes: Buffer, name: Buffer): ValueRange | undefined {
  const at = bytes.lastIndexOf(name)
  if (at < bytes.length - END_BYTES || bytes[at - 1] === BACKSLASH) return undefined
  const colon = skipSpace(bytes, at + name.length)
  const start = skipSpace(bytes, colon + 1)
  if (bytes[colon] !== COLON || bytes[start] !== QUOTE) return undefined
  const end = stringEnd(bytes, start)
  const close = skipMembers(bytes, end)
  return bytes[close] === CLOSE_BRACE && skipSpace(bytes, close + 1) === bytes.length
    ? { start, end }
    : undefined
}

const BACKSLASH = 0x5c

/** Position of the brace that closes the object whose members go on at `from`. */
function skipMembers(bytes: Buffer, from: number): number {
  let at = skipSpace(bytes, from)
  while (bytes[at] === COMMA || bytes[at] === COLON || bytes[at] === QUOTE)
    at = skipSpace(
      bytes,
      bytes[at] === QUOTE ? stringEnd(bytes, at) : skipValue(bytes, skipSpace(bytes, at + 1)),
    )
  return at
}
