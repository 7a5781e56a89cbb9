import type { OptionDefinition } from './definition.ts'

type Needing = Pick<OptionDefinition, 'needs' | 'needsOneOf'>

/** What is still empty before a switch can be turned on. */
export interface MissingNeeds {
  /** All of these. */
  readonly all: readonly string[]
  /** And one of these sets; none when one of them is complete. */
  readonly oneOf: readonly (readonly string[])[]
}

/** `undefined` when nothing is missing. */
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

/** As operators read it: `id, secret, found | issuer + keys`. */
export function missingText(
  { all, oneOf }: MissingNeeds,
  words: { readonly label: (key: string) => string; readonly or: string },
): string {
  const sets = oneOf.map((keys) => keys.map(words.label).join(' + ')).join(words.or)
  return [...all.map(words.label), ...(sets === '' ? [] : [sets])].join(', ')
}

/** Every setting that decides whether a switch can be on. */
export function neededKeys({ needs, needsOneOf }: Needing): readonly string[] {
  return [...new Set([...needs, ...needsOneOf.flat()])]
}
