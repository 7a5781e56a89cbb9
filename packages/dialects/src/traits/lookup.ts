import { anthropicLines } from './anthropic.ts'
import { googleLines } from './google.ts'
import type { ModelTraits, TraitLine } from './model-traits.ts'
import { openaiLines } from './openai.ts'
import { otherLines } from './other-vendors.ts'
import { plainName } from '@tollgate/catalogue/names/plain-name'

/** Finds the traits of a model by its name. */
export type TraitsOf = (model: string) => ModelTraits

/** Grouped by vendor, so that a name is compared only with the lines of one vendor. */
const vendors: readonly (readonly [RegExp, readonly TraitLine[]])[] = [
  [/^claude-/, anthropicLines],
  [/^gemini-/, googleLines],
  [/^(?:gpt-|chatgpt-|o\d|codex-|computer-use)/, openaiLines],
  [/^(?:grok-|magistral|deepseek-)/, otherLines],
]

/** All lines, in the order in which they are matched. */
export const allLines = vendors.flatMap(([, lines]) => lines)

/** Returns the line of the table that matches a name; `undefined` for a name of an unknown vendor. */
export const traitLineOf = remembered((model): TraitLine | undefined => {
  const name = plainName(model)
  const lines = vendors.find(([names]) => names.test(name))?.[1]
  return lines?.find(({ models }) => models.test(name))
})

const NONE: ModelTraits = {}

/** Returns the traits from the table; empty for a name of an unknown vendor. */
export const traitsOf: TraitsOf = (model) => traitLineOf(model)?.traits ?? NONE

const REMEMBERED_MAX = 2_000

/**
 * Caches results by model name: names repeat from call to call, and finding their line means trying many
 * patterns.
 */
export function remembered<Found>(find: (model: string) => Found): (model: string) => Found {
  const found = new Map<string, Found>()
  return (model) => {
    const known = found.get(model)
    if (known !== undefined) return known
    const value = find(model)
    if (found.size >= REMEMBERED_MAX) found.clear()
    found.set(model, value)
    return value
  }
}
