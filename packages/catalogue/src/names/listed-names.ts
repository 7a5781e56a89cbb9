/** Model families whose members have a suffix of their own, and the one name under which they are listed. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^gpt-4-gizmo/, 'gpt-4-gizmo-*'],
  [/^gpt-4o-gizmo/, 'gpt-4o-gizmo-*'],
]

/** Families that share a price entry, beside those that share a place on channels. */
const priceFamilies: readonly (readonly [RegExp, string])[] = [
  ...families,
  [/^gemini-2\.5-flash-lite.*-thinking-/, 'gemini-2.5-flash-lite-thinking-*'],
  [/^gemini-2\.5-flash.*-thinking-/, 'gemini-2.5-flash-thinking-*'],
  [/^gemini-2\.5-pro.*-thinking-/, 'gemini-2.5-pro-thinking-*'],
]

/** The names under which a model's price may be listed, the most specific first. */
export function priceNames(model: string): readonly string[] {
  const family = priceFamilies.find(([pattern]) => pattern.test(model))
  return family && family[1] !== model ? [model, family[1]] : [model]
}

/**
 * The name that channels list for a custom assistant, whose own name contains its id: `gpt-4o-gizmo-*` for
 * `gpt-4o-gizmo-g-abc`. `undefined` for every other model.
 */
export function assistantFamily(model: string): string | undefined {
  return families.find(([pattern]) => pattern.test(model))?.[1]
}
