import { createHash } from 'node:crypto'
import { isWithinBounds, type StringBounds } from './string-limit.ts'

/** 22 characters of 62 hold 128 bits. */
const HASH_CHARACTERS = 22
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * Returns the text where the vendor takes it. Any other text becomes its readable beginning and a hash of the
 * whole: `toolu_a.b` becomes `toolu_a_b_5Xk…`. The same text always becomes the same, so that caches still
 * match. `attempt` counts up where the result is in use already.
 */
export function shortenText(text: string, bounds: StringBounds, attempt = 0): string {
  if (attempt === 0 && isWithinBounds(text, bounds)) return text
  const { charactersMax, refused } = bounds
  const hash = hashText(attempt === 0 ? text : `${attempt}\0${text}`)
  const space = charactersMax - HASH_CHARACTERS - 1
  if (space < 1) return hash.slice(0, charactersMax)
  const plain = refused === undefined ? text : text.replaceAll(new RegExp(refused, 'g'), '_')
  return `${plain.slice(0, space).toWellFormed()}_${hash}`
}

function hashText(text: string): string {
  let rest = BigInt(`0x${createHash('sha256').update(text, 'utf16le').digest('hex')}`)
  let written = ''
  while (written.length < HASH_CHARACTERS) {
    written += DIGITS[Number(rest % 62n)]
    rest /= 62n
  }
  return written
}

/**
 * Shortens the ids of one conversation. `ids` are all of them: two that differ never become one, even where a
 * caller sends an id that looks like a shortened one.
 */
export function shortenIds(ids: Iterable<string>, bounds: StringBounds): ReadonlyMap<string, string> {
  const different = new Set(ids)
  const rejected = [...different].filter((id) => !isWithinBounds(id, bounds))
  const used = new Set([...different].filter((id) => isWithinBounds(id, bounds)))
  const shortened = new Map<string, string>()
  for (const id of rejected) {
    let attempt = 0
    let short = shortenText(id, bounds)
    while (used.has(short)) short = shortenText(id, bounds, ++attempt)
    used.add(short)
    shortened.set(id, short)
  }
  return shortened
}
