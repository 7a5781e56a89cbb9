import { problem } from '@tollgate/problems/problem'

const DEPTH_MAX = 64

/**
 * Parses a body whose size was already checked. A body that is nested too deeply is refused before it is
 * parsed.
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return {}
  if (isDeeperThan(text, DEPTH_MAX)) throw problem('body_nested_too_deeply')
  try {
    return JSON.parse(text, dropPrototypeKeys)
  } catch (cause) {
    throw problem('body_not_json', {}, { cause })
  }
}

const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

function dropPrototypeKeys(key: string, value: unknown): unknown {
  return UNSAFE_KEYS.has(key) ? undefined : value
}

const QUOTE = 34
const BACKSLASH = 92
const OPENING: ReadonlySet<number> = new Set([91, 123])
const CLOSING: ReadonlySet<number> = new Set([93, 125])

function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (OPENING.has(code) && ++depth > limit) return true
    else if (CLOSING.has(code)) depth--
  }
  return false
}

/** Returns the index of the quote that closes the string opened at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i
}
