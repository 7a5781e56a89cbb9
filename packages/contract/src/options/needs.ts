import type { OptionDefinition } from './definition.ts'

type Needing = Pick<OptionDefinition, 'needs' | 'needsOneOf'>

/** The required settings that are still empty and prevent a switch from being turned on. */
export interface MissingNeeds {
  /** All of these must be set. */
  readonly all: readonly string[]
  /** And one of these sets must be complete; empty when one already is. */
  readonly oneOf: readonly (readonly string[])[]
}

/** Returns `undefined` when nothing is missing. */
export function missingNeeds(
  { needs, needsOneOf }: Needing,
  isFilled: (key: string) => boolean,
): MissingNeeds | undefined {
  const missingOf = (keys: readonly string[]) => keys.filter((key) => !isFilled(key))
  const sets = needsOneOf.map(missingOf)
  const all = missingOf(needs)
  const oneOf = sets.some((missing) => missing.length === 0) ? [] : sets
  return all.length === 0 && oneOf.length === 0 ? undefined : { all, oneOf }
}

/** The missing settings as text for operators: `id, secret, found | issuer + keys`. */
export function missingText(
  { all, oneOf }: MissingNeeds,
  words: { readonly label: (key: string) => string; readonly or: string },
): string {
  const sets = oneOf.map((keys) => keys.map(words.label).join(' + ')).join(words.or)
  return [...all.map(words.label), ...(sets === '' ? [] : [sets])].join(', ')
}

/** Every setting that a switch may depend on. */
export function neededKeys({ needs, needsOneOf }: Needing): readonly string[] {
  return [...new Set([...needs, ...needsOneOf.flat()])]
}
