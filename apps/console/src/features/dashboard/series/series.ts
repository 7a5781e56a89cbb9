import type { UsagePoint } from '@tollgate/contract/usage'
import type { Measure } from '../search.ts'

/** Usage points from the server, prepared for charts and tables. */

export interface SeriesData {
  readonly points: readonly UsagePoint[]
  readonly stepSeconds: number
  /** Unix seconds, both ends included. */
  readonly start: number
  readonly end: number
}

export type Sums = Pick<
  UsagePoint,
  | 'calls'
  | 'errors'
  | 'quota'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'duration_ms'
  | 'first_byte_ms'
  | 'first_bytes'
  | 'cost'
  | 'costed_quota'
  | 'cached_tokens'
  | 'cache_saved'
>

export interface KeySums extends Sums {
  readonly key: string
  readonly label: string
  readonly isRest: boolean
}

const nothing: Sums = {
  calls: 0,
  errors: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  duration_ms: 0,
  first_byte_ms: 0,
  first_bytes: 0,
  cost: 0,
  costed_quota: 0,
  cached_tokens: 0,
  cache_saved: 0,
}

export function plus(left: Sums, right: Sums): Sums {
  return {
    calls: left.calls + right.calls,
    errors: left.errors + right.errors,
    quota: left.quota + right.quota,
    prompt_tokens: left.prompt_tokens + right.prompt_tokens,
    completion_tokens: left.completion_tokens + right.completion_tokens,
    duration_ms: left.duration_ms + right.duration_ms,
    first_byte_ms: left.first_byte_ms + right.first_byte_ms,
    first_bytes: left.first_bytes + right.first_bytes,
    cost: left.cost + right.cost,
    costed_quota: left.costed_quota + right.costed_quota,
    cached_tokens: left.cached_tokens + right.cached_tokens,
    cache_saved: left.cache_saved + right.cache_saved,
  }
}

export function totalOf(points: readonly Sums[]): Sums {
  return points.reduce(plus, nothing)
}

/** Sums of each key over the whole range, the most expensive first and the rest ("everything else") last. */
export function keySums(points: readonly UsagePoint[]): readonly KeySums[] {
  const keys = new Map<string, KeySums>()
  for (const point of points) {
    const name = nameOf(point)
    const known = keys.get(name) ?? { ...nothing, key: point.key, label: point.label, isRest: point.is_rest }
    keys.set(name, { ...known, ...plus(known, point) })
  }
  return [...keys.values()].toSorted(
    (left, right) =>
      Number(left.isRest) - Number(right.isRest) || right.quota - left.quota || right.calls - left.calls,
  )
}

export interface SeriesStep extends Sums {
  /** The first second of the step. */
  readonly at: number
  readonly byKey: ReadonlyMap<string, Sums>
}

/** Every step of the range, including those without calls. */
export function stepsOf({ points, stepSeconds, start, end }: SeriesData): readonly SeriesStep[] {
  const times = timesOf(points, { stepSeconds, start, end })
  return times.map((at) => {
    const here = points.filter((point) => point.at === at)
    return { ...totalOf(here), at, byKey: new Map(here.map((point) => [nameOf(point), point])) }
  })
}

/**
 * The server aligns steps with the reader's midnight. Any point shows that alignment, so the other steps are
 * computed from the first point.
 */
function timesOf(
  points: readonly UsagePoint[],
  { stepSeconds, start, end }: Omit<SeriesData, 'points'>,
): readonly number[] {
  const [known] = points
  if (!known) return []
  const before = Math.ceil((known.at - start) / stepSeconds)
  const first = known.at - before * stepSeconds
  const count = Math.floor((end - first) / stepSeconds) + 1
  return Array.from({ length: count }, (_, index) => first + index * stepSeconds)
}

export function nameOf(key: Pick<UsagePoint, 'key'> & { is_rest?: boolean; isRest?: boolean }): string {
  return (key.is_rest ?? key.isRest) ? 'rest' : `=${key.key}`
}

export function measured(sums: Sums, measure: Measure): number {
  if (measure === 'spent') return sums.quota
  return measure === 'calls' ? sums.calls : sums.prompt_tokens + sums.completion_tokens
}

/** Average milliseconds of a charged call; `undefined` without any call. */
export function averageMs({ duration_ms: whole, calls }: Sums): number | undefined {
  return calls > 0 ? whole / calls : undefined
}

export function averageFirstMs({ first_byte_ms: whole, first_bytes: calls }: Sums): number | undefined {
  return calls > 0 ? whole / calls : undefined
}

/** Share of failed calls among all calls; `undefined` without any call. */
export function errorShare({ calls, errors }: Sums): number | undefined {
  return calls + errors > 0 ? errors / (calls + errors) : undefined
}

/** Share of the input that upstreams read from their caches; `undefined` without input. */
export function cachedShare({ cached_tokens: cached, prompt_tokens: input }: Sums): number | undefined {
  return input > 0 ? cached / input : undefined
}
