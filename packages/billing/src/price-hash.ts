import { hash } from 'node:crypto'

/** 132 bits: enough that two prices of a site never share a hash. */
const CHARACTERS = 22
/** A gateway has few prices in use: one for each model, group and version. */
const KNOWN_MAX = 4_096
const known = new Map<string, string>()

/** Whether a text has the form of a content hash. */
export function isPriceHash(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}

/** The content hash by which holds and entries name a frozen price. */
export function priceHash(priceJson: string): string {
  const before = known.get(priceJson)
  if (before !== undefined) return before
  if (known.size >= KNOWN_MAX) known.clear()
  const fresh = hash('sha256', priceJson, 'base64url').slice(0, CHARACTERS)
  known.set(priceJson, fresh)
  return fresh
}
