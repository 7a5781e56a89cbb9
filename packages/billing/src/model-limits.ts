import type { Usage } from '@tollgate/dialects/usage'
import { reasonsOutsideLimit, alwaysSearches, sizesOf } from '@tollgate/dialects/traits/sizes'
import { type Bucket, buckets } from './buckets.ts'

/**
 * Maximum size of one call to a model, in tokens. Used for hold ceilings and to reject impossible usage
 * reports, never to reject a request.
 */
export interface ModelLimits {
  readonly contextTokens: number
  readonly outputTokensMax: number
  /**
   * No row of the size table matches the name, so the sizes are guesses. A reported count is then rejected
   * only when it is impossible for any model.
   */
  readonly isUnknown?: true
  /**
   * The vendor does not count reasoning against `max_tokens`: this many tokens may come on top of the
   * requested output.
   */
  readonly reasoningTokensMax?: number
  /** The model always searches, so it reads more input than the request holds. */
  readonly searches?: true
}

export interface UsageBounds {
  readonly limits: ModelLimits
  readonly inputTokensCounted: number
  readonly choices: number
  /**
   * How many times the upstream may read its whole context: once, plus once after each call of a tool that it
   * runs.
   */
  readonly readings?: number
  /** Requested number of images, in calls that generate images. */
  readonly pictures?: number
}

const CONTEXT_OF_UNKNOWN = 10_000_000

/**
 * The usage without the members that are no counts of this model, each judged by itself, and named in `lost`, so that
 * the gateway's own counts stand for their totals.
 */
export function dropImpossibleCounts(usage: Usage, bounds: UsageBounds): Usage {
  if (isCount(usage, bounds)) return usage
  const impossible = buckets.filter((bucket) => !isPossible(bucket, usage, bounds))
  const kept = { ...usage, ...Object.fromEntries(impossible.map((bucket) => [bucket, 0])) }
  const { toolCalls, images, seconds, ...rest } = kept
  const calls = Object.entries(toolCalls ?? {}).filter(([, count]) => isWhole(count))
  const isInputLost = impossible.some((bucket) => !isOutput(bucket))
  const lost = {
    ...usage.lost,
    ...(isInputLost && { input: { least: 0 } }),
    ...(impossible.some(isOutput) && { output: { least: 0, hidden: 0 } }),
    isPartLost: true as const,
  }
  return {
    ...rest,
    ...(calls.length > 0 && { toolCalls: Object.fromEntries(calls) }),
    ...(images !== undefined && { images: isWhole(images) ? images : (bounds.pictures ?? 1) }),
    ...(seconds !== undefined && isWhole(seconds) && { seconds }),
    lost,
  }
}

/**
 * Whether a usage report is plausible: whole non-negative numbers, and no bucket above the model's context. A
 * report that is larger than expected is still accepted; the ceiling of the call limits what is charged for
 * it.
 */
export function isCount(usage: Usage, bounds: UsageBounds): boolean {
  const counts = [...Object.values(usage.toolCalls ?? {}), usage.images ?? 0, usage.seconds ?? 0]
  return buckets.every((bucket) => isPossible(bucket, usage, bounds)) && counts.every(isWhole)
}

function isOutput(bucket: Bucket): boolean {
  return bucket.startsWith('output')
}

function isPossible(bucket: Bucket, usage: Usage, { limits, choices, readings = 1 }: UsageBounds): boolean {
  const contextTokens = limits.isUnknown === true ? CONTEXT_OF_UNKNOWN : limits.contextTokens
  const times = isOutput(bucket) ? choices * readings : readings
  return isWhole(usage[bucket]) && usage[bucket] <= contextTokens * times
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** The limits of a model by its name, or generous guesses for an unknown model. */
export function modelLimits(model: string): ModelLimits {
  const known = found.get(model)
  if (known) return known
  const limits = limitsByName(model)
  if (found.size >= FOUND_KEPT_MAX) found.clear()
  found.set(model, limits)
  return limits
}

/** Cache by model name: names repeat, and looking up a size means trying many patterns. */
const found = new Map<string, ModelLimits>()
const FOUND_KEPT_MAX = 2_000

function limitsByName(model: string): ModelLimits {
  const sizes = sizesOf(model)
  const limits = sizes ?? UNKNOWN
  return {
    ...limits,
    ...(reasonsOutsideLimit(model) && { reasoningTokensMax: limits.outputTokensMax }),
    ...(alwaysSearches(model) && { searches: true as const }),
  }
}

/** The largest output of a model that nobody knows; few known ones write more. */
const UNKNOWN_OUTPUT_MAX = 131_072

/** Its input may fill a context as large as the largest common one. */
const UNKNOWN: ModelLimits = {
  contextTokens: 1_048_576,
  outputTokensMax: UNKNOWN_OUTPUT_MAX,
  isUnknown: true,
}
