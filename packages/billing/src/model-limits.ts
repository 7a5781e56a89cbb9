import type { Usage } from '@tollgate/dialects/usage'
import { reasonsBesideLimit, searchesAlways, sizesOf } from '@tollgate/dialects/traits/sizes'
import { buckets } from './buckets.ts'

/** How large one call to a model can get, in tokens. Used for ceilings and to doubt impossible usage, never to refuse. */
export interface ModelLimits {
  readonly contextTokens: number
  readonly outputTokensMax: number
  /** No line of the table fits the name: the figures are guesses, and only a count that nothing can reach is doubted. */
  readonly isUnknown?: true
  /** The vendor does not count reasoning against `max_tokens`: so much may come beside the output that was asked for. */
  readonly reasoningTokensMax?: number
  /** The model searches by its nature, so it reads more than the request holds. */
  readonly searches?: true
}

export interface UsageBounds {
  readonly limits: ModelLimits
  readonly inputTokensCounted: number
  readonly choices: number
  /** How often the upstream may read its whole context: once, and again after each call of a tool that it runs. */
  readonly readings?: number
  /** Pictures asked for, in calls that make them. */
  readonly pictures?: number
}

const CONTEXT_OF_UNKNOWN = 10_000_000

/**
 * Whether what an upstream reports is a count at all: whole non-negative numbers, no part above the model's context.
 * A report that is larger than expected is still a count; the ceiling of the call bounds what is charged for it.
 */
export function isCount(usage: Usage, { limits, choices, readings = 1 }: UsageBounds): boolean {
  const contextTokens = limits.isUnknown === true ? CONTEXT_OF_UNKNOWN : limits.contextTokens
  const counts = [...Object.values(usage.toolCalls ?? {}), usage.images ?? 0, usage.seconds ?? 0]
  return (
    buckets.every((bucket) => {
      const times = bucket.startsWith('output') ? choices * readings : readings
      return isWhole(usage[bucket]) && usage[bucket] <= contextTokens * times
    }) && counts.every(isWhole)
  )
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** The limits of a model by its name; a generous guess for one we do not know. */
export function modelLimits(model: string): ModelLimits {
  const known = found.get(model)
  if (known) return known
  const limits = limitsByName(model)
  if (found.size >= FOUND_KEPT_MAX) found.clear()
  found.set(model, limits)
  return limits
}

/** Names repeat, and sizes are found by trying patterns. */
const found = new Map<string, ModelLimits>()
const FOUND_KEPT_MAX = 2_000

function limitsByName(model: string): ModelLimits {
  const sizes = sizesOf(model)
  const limits = sizes ?? UNKNOWN
  return {
    ...limits,
    ...(reasonsBesideLimit(model) && { reasoningTokensMax: limits.outputTokensMax }),
    ...(searchesAlways(model) && { searches: true as const }),
  }
}

/** Nobody knows how much such a model writes or thinks, so its output may fill a context as large as the largest usual one. */
const UNKNOWN: ModelLimits = { contextTokens: 1_048_576, outputTokensMax: 1_048_576, isUnknown: true }
