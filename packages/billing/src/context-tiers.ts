import { inputTokens, type Usage } from '@tollgate/dialects/usage'
import type { ContextTier } from './price.ts'

/** Context tiers by `model` or `model-prefix*`. */
export type ContextTierMap = ReadonlyMap<string, readonly ContextTier[]>

/**
 * The context tier of a call, chosen by its total input tokens of every kind. `undefined` means that the
 * ordinary price applies.
 */
export function contextTierOf<Tier extends Pick<ContextTier, 'above'>>(
  tiers: readonly Tier[] | undefined,
  usage: Usage,
): Tier | undefined {
  // A session's usage is the sum over its responses, so the input length of a single response is not known.
  if (tiers === undefined || tiers.length === 0 || usage.turns !== undefined) return undefined
  const input = inputTokens(usage)
  return tiers.findLast(({ above }) => input > above)
}

/**
 * The context tiers of one model: the entry with its exact name, otherwise the one with the longest matching
 * prefix. An empty list means no tiers.
 */
export function contextTiersFor(option: ContextTierMap, model: string): readonly ContextTier[] | undefined {
  const named = option.get(model) ?? option.get(longestPrefix(option, model))
  return named === undefined || named.length === 0 ? undefined : named
}

function longestPrefix(option: ContextTierMap, model: string): string {
  const fitting = [...option.keys()].filter((key) => key.endsWith('*') && model.startsWith(key.slice(0, -1)))
  return fitting.reduce((longest, key) => (key.length > longest.length ? key : longest), '')
}
