import { sha256Hex } from '@tollgate/kit/ids'
import type { VendorRequest } from './vendor-dialect.ts'

/** Prompt tokens, split by whether the vendor's cache contained them. */
export interface CachedPrompt {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

const LEAST_TOKENS = 1024

/** Cache of prefixes made of whole pieces, as a vendor keeps them for each key and model. */
export class PromptCache {
  #prefixes = new Map<string, number>()

  /** Looks up the longest cached prefix, then stores the prefixes of this prompt. */
  count(owner: string, { pieces, marks }: Pick<VendorRequest, 'pieces' | 'marks'>): CachedPrompt {
    const prefixes = prefixesOf(owner, pieces)
    const places = marks ?? prefixes.map((_, index) => index + 1)
    const candidates = places
      .map((place) => prefixes[place - 1])
      .filter((prefix) => prefix !== undefined)
      .filter(({ tokens }) => tokens >= LEAST_TOKENS)
    const known = Math.max(
      0,
      ...prefixes.filter(({ id }) => this.#prefixes.has(id)).map(({ tokens }) => tokens),
    )
    for (const { id, tokens } of candidates) this.#prefixes.set(id, tokens)
    const total = prefixes.at(-1)?.tokens ?? 1
    const cacheRead = candidates.length > 0 ? known : 0
    const marked = Math.max(0, ...candidates.map(({ tokens }) => tokens))
    const cacheWrite = marks === undefined ? 0 : Math.max(0, marked - cacheRead)
    return { input: total - cacheRead - cacheWrite, cacheRead, cacheWrite }
  }
}

interface Prefix {
  readonly id: string
  readonly tokens: number
}

/** Counts four characters as one token. */
function prefixesOf(owner: string, pieces: readonly string[]): readonly Prefix[] {
  let id = owner
  let characters = 0
  return pieces.map((piece) => {
    id = sha256Hex(`${id}\n${piece}`)
    characters += piece.length
    return { id, tokens: Math.ceil(characters / 4) }
  })
}
