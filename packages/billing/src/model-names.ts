/** Model families whose members have an arbitrary suffix and share one price entry. */
const wildcards: readonly (readonly [RegExp, string])[] = [
  [/^gpt-4-gizmo/, 'gpt-4-gizmo-*'],
  [/^gpt-4o-gizmo/, 'gpt-4o-gizmo-*'],
  [/^gemini-2\.5-flash-lite.*-thinking-/, 'gemini-2.5-flash-lite-thinking-*'],
  [/^gemini-2\.5-flash.*-thinking-/, 'gemini-2.5-flash-thinking-*'],
  [/^gemini-2\.5-pro.*-thinking-/, 'gemini-2.5-pro-thinking-*'],
]

/** The names under which a model's price may be listed, the most specific first. */
export function priceNames(model: string): readonly string[] {
  const family = wildcards.find(([pattern]) => pattern.test(model))
  return family && family[1] !== model ? [model, family[1]] : [model]
}
