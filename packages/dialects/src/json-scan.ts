import { isAt } from './bytes-at.ts'
import type { CheckedShape } from './checked/shape.ts'
import type { MemberFindings } from './checked/findings.ts'
import { unknownInside } from './checked/shapes.ts'
import { CheckedWalk, type SuspectMember } from './checked/walk.ts'

/** One member of a JSON object, with its position in the bytes. */
export interface Member {
  readonly name: string
  /** Position of the opening quote of the name. */
  readonly start: number
  readonly valueStart: number
  /** Position just after the last byte of the value. */
  readonly valueEnd: number
}

export interface ObjectScan {
  readonly members: readonly Member[]
  /** Position of the opening brace; -1 if the bytes do not begin with an object. */
  readonly open: number
  /** Position of the closing brace; -1 if the object is not closed, or if something follows it. */
  readonly close: number
  /** Deepest nesting found; the object itself is level 1. */
  readonly depth: number
  /** Number of values, including the object itself. */
  readonly values: number
  /** The limit at which the scan stopped; the members after that point are missing. */
  readonly beyond?: Beyond
  /** The first judged member with an unaccepted spelling, or the first one that is repeated. */
  readonly odd?: SuspectMember | undefined
  /** Members that are taken out, that no row of the catalogue knows, or that name models. */
  readonly findings?: MemberFindings | undefined
}

export type Beyond = 'depth' | 'values' | 'members' | 'topMembers' | 'numbers'

/**
 * Limits at which a scan stops. The cost of parsing in memory and time depends on the number of values, not
 * of bytes.
 */
export interface ScanLimits {
  /** Maximum levels of nesting. */
  readonly depthMax: number
  /** Maximum number of values of all types and levels, including the object itself. */
  readonly valuesMax: number
  /** Maximum number of members in any one object. */
  readonly membersMax: number
  /**
   * Maximum number of members in the outermost object, if lower: they are kept in memory until the call ends.
   */
  readonly topMembersMax?: number
  /** Maximum count of numbers in lists, which then do not count as values; if absent, they do. */
  readonly numbersMax?: number
}

const NO_LIMITS: ScanLimits = {
  depthMax: Number.MAX_SAFE_INTEGER,
  valuesMax: Number.MAX_SAFE_INTEGER,
  membersMax: Number.MAX_SAFE_INTEGER,
}

const UNREACHED = Number.MAX_SAFE_INTEGER
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COLON = 0x3a
const COMMA = 0x2c

/**
 * Finds the top-level members of a JSON object without parsing it. It never fails, whatever the bytes; the
 * result is only meaningful for bytes that `JSON.parse` accepts. Stops at the first limit. With `judged` it
 * also checks the names of judged members.
 */
export function scanObject(bytes: Buffer, limits: ScanLimits = NO_LIMITS, judged?: CheckedShape): ObjectScan {
  const open = skipSpace(bytes, 0)
  if (bytes[open] !== OPEN_BRACE) return { members: [], open: -1, close: -1, depth: 0, values: 0 }
  const members: Member[] = []
  let depth = 1
  let deepest = 1
  let close = -1
  let nameStart = -1
  let nameEnd = -1
  let valueStart = -1
  let at = open + 1
  const { depthMax } = limits
  const tally = new Tally(bytes, limits)
  tally.open(at, 1, true)
  const walk = judged && new CheckedWalk(bytes, judged, unknownInside)
  // Level of the outermost container in which no names are judged; the walk is not called below it.
  let unjudged = walk === undefined ? 1 : UNREACHED

  const endMember = (): void => {
    if (valueStart < 0) return
    const name = memberName(bytes, nameStart, nameEnd)
    members.push({ name, start: nameStart, valueStart, valueEnd: trimSpace(bytes, valueStart, at) })
    nameStart = -1
    valueStart = -1
  }

  const stopped = (beyond: Beyond): ObjectScan => {
    return { members, open, close: -1, depth: deepest, values: tally.values, beyond }
  }

  for (; at < bytes.length && close < 0; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = stringEnd(bytes, at)
      if (depth === 1 && valueStart < 0 && nameStart < 0) {
        nameStart = at
        nameEnd = end
      }
      if (depth < unjudged && walk?.isName === true) walk.name(at, end)
      at = end - 1
    } else if (byte === COLON) {
      if (depth === 1 && valueStart < 0) valueStart = skipSpace(bytes, at + 1)
    } else if (byte === COMMA) {
      if (depth === 1) endMember()
      if (depth < unjudged) walk?.comma(at)
      tally.comma(at + 1, depth)
      if (tally.beyond !== undefined) return stopped(tally.beyond)
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > deepest) deepest = depth
      if (depth > depthMax) return stopped('depth')
      if (depth < unjudged && walk?.open(byte === OPEN_BRACE) === false) unjudged = depth
      tally.open(at + 1, depth, byte === OPEN_BRACE)
      if (tally.beyond !== undefined) return stopped(tally.beyond)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 1) {
        endMember()
        close = at
      }
      if (depth < unjudged) walk?.close(at)
      else if (depth === unjudged && walk !== undefined) unjudged = UNREACHED
      depth--
    }
  }
  const isAlone = close >= 0 && skipSpace(bytes, close + 1) === bytes.length
  const names = { odd: walk?.odd, findings: walk?.findings }
  return { members, open, close: isAlone ? close : -1, depth: deepest, values: tally.values, ...names }
}

/** Levels at which members are counted. Every caller that sets limits rejects deeper nesting. */
const TALLIED_LEVELS = 128
/**
 * Number of members found so far, by level. Shared between scans, which is safe because a scan is
 * synchronous.
 */
const membersAt = new Int32Array(TALLIED_LEVELS)
/** Initial count for a list, which has no members: counting up from here never reaches a limit. */
const A_LIST = -(2 ** 31)

/** Counts values by the commas between them, without looking at the values themselves. */
class Tally {
  readonly #bytes: Buffer
  readonly #limits: ScanLimits
  values = 1
  #numbers = 0
  beyond: Beyond | undefined

  constructor(bytes: Buffer, limits: ScanLimits) {
    this.#bytes = bytes
    this.#limits = limits
  }

  /** Called when a container opens; `next` is the position after its opening bracket. */
  open(next: number, depth: number, isObject: boolean): void {
    const first = this.#bytes[skipSpace(this.#bytes, next)]
    membersAt[depth] = isObject ? 0 : A_LIST
    if (first === CLOSE_BRACE || first === CLOSE_BRACKET) return
    this.#add(first, depth)
  }

  comma(next: number, depth: number): void {
    this.#add(
      this.#limits.numbersMax === undefined ? undefined : this.#bytes[skipSpace(this.#bytes, next)],
      depth,
    )
  }

  #add(first: number | undefined, depth: number): void {
    const { valuesMax, membersMax, topMembersMax, numbersMax } = this.#limits
    const members = (membersAt[depth] ?? 0) + 1
    membersAt[depth] = members
    if (members > membersMax) this.beyond = 'members'
    else if (depth === 1 && topMembersMax !== undefined && members > topMembersMax) this.beyond = 'topMembers'
    else if (numbersMax !== undefined && isNumber(first)) {
      if (++this.#numbers > numbersMax) this.beyond = 'numbers'
    } else if (++this.values > valuesMax) this.beyond = 'values'
  }
}

function isNumber(byte: number | undefined): boolean {
  return byte === MINUS || (byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9)
}

const MINUS = 0x2d
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39

/**
 * Position just after the closing quote of the string that opens at `start`; the end of the bytes if it is
 * not closed.
 */
export function stringEnd(bytes: Buffer, start: number): number {
  let at = start + 1
  const near = Math.min(bytes.length, at + NEAR)
  for (; at < near; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
  }
  return farStringEnd(bytes, at)
}

/** The first bytes of a string are checked one by one; beyond this many the built-in search is faster. */
const NEAR = 64

function farStringEnd(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(QUOTE, from)
  while (at >= 0) {
    let escapes = 0
    while (at - 1 - escapes >= from && bytes[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at + 1
    at = bytes.indexOf(QUOTE, at + 1)
  }
  return bytes.length
}

/** Names that most requests contain. Comparing bytes in place costs less than creating a string. */
const usualNames = byLength([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'tools',
  'tool_choice',
  'response_format',
  'user',
  'stop',
  'input',
  'prompt',
])

interface UsualName {
  readonly name: string
  readonly bytes: Buffer
}

function byLength(names: readonly string[]): readonly (readonly UsualName[])[] {
  const longest = Math.max(...names.map((name) => name.length))
  return Array.from({ length: longest + 1 }, (_, length) =>
    names.filter((name) => name.length === length).map((name) => ({ name, bytes: Buffer.from(name) })),
  )
}

function memberName(bytes: Buffer, start: number, end: number): string {
  const candidates = usualNames[end - start - 2]
  if (candidates !== undefined)
    for (const { name, bytes: wanted } of candidates) if (isAt(bytes, start + 1, wanted)) return name
  return decodedName(bytes, start, end)
}

function decodedName(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start + 1, end - 1)
  return raw.includes('\\') ? unescaped(`"${raw}"`) : raw
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

/** Position of the first byte from `from` that is not white space. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && isSpace(bytes[at])) at++
  return at
}

function trimSpace(bytes: Buffer, start: number, end: number): number {
  let at = end
  while (at > start && isSpace(bytes[at - 1])) at--
  return at
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
