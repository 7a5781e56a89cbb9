import { anthropicLines } from './anthropic.ts'
import { googleLines } from './google.ts'
import type { ModelTraits, TraitLine } from './model-traits.ts'
import { openaiLines } from './openai.ts'
import { otherLines } from './other-vendors.ts'
import { plainName } from './plain-name.ts'

/** Finds the traits of a model by its name. */
export type TraitsOf = (model: string) => ModelTraits

/** By vendor, so that a name is compared with the lines of one vendor only. */
const vendors: readonly (readonly [RegExp, readonly TraitLine[]])[] = [
  [/^claude-/, anthropicLines],
  [/^gemini-/, googleLines],
  [/^(?:gpt-|chatgpt-|o\d|codex-|computer-use)/, openaiLines],
  [/^(?:grok-|magistral|deepseek-)/, otherLines],
]

/** All lines, in the order in which they are tried. */
export const allLines = vendors.flatMap(([, lines]) => lines)

/** The line of the table that fits a name; `undefined` for a name of no vendor we know. */
export const traitLineOf = remembered((model): TraitLine | undefined => {
  const name = plainName(model)
  const lines = vendors.find(([names]) => names.test(name))?.[1]
  return lines?.find(({ models }) => models.test(name))
})

const NONE: ModelTraits = {}

/** The traits in the table; none for a name of no vendor we know. */
export const traitsOf: TraitsOf = (model) => traitLineOf(model)?.traits ?? NONE

const REMEMBERED_MAX = 2_000

/** Names repeat from call to call, and finding their line means trying patterns. */
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
