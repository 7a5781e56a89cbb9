import { inputTokens, type Usage } from '@tollgate/dialects/usage'
import type { ContextTier } from './price.ts'

/** Tiers by `model` or `model-prefix*`. */
export type ContextTierMap = ReadonlyMap<string, readonly ContextTier[]>

/** The tier a call falls in by the tokens of its input, of every kind; `undefined`: that of the ordinary price. */
export function contextTierOf<Tier extends Pick<ContextTier, 'above'>>(
  tiers: readonly Tier[] | undefined,
  usage: Usage,
): Tier | undefined {
  // A session's usage is the sum of its responses, and says nothing of how long any of them was.
  if (tiers === undefined || tiers.length === 0 || usage.turns !== undefined) return undefined
  const input = inputTokens(usage)
  return tiers.findLast(({ above }) => input > above)
}

/** What an option says for one model: the entry with its name, else that of the longest prefix. An empty one says: none. */
export function contextTiersFor(option: ContextTierMap, model: string): readonly ContextTier[] | undefined {
  const named = option.get(model) ?? option.get(longestPrefix(option, model))
  return named === undefined || named.length === 0 ? undefined : named
}

function longestPrefix(option: ContextTierMap, model: string): string {
  const fitting = [...option.keys()].filter((key) => key.endsWith('*') && model.startsWith(key.slice(0, -1)))
  return fitting.reduce((longest, key) => (key.length > longest.length ? key : longest), '')
}
