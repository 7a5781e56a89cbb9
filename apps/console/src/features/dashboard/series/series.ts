import type { UsagePoint } from '@tollgate/contract/usage'
import type { Measure } from '../search.ts'

/** What the points of the server say, arranged for charts and tables. */

export interface SeriesData {
  readonly points: readonly UsagePoint[]
  readonly stepSeconds: number
  /** Seconds, both ends included. */
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
  }
}

export function totalOf(points: readonly Sums[]): Sums {
  return points.reduce(plus, nothing)
}

/** Each key over the whole range, what cost most first; everything else comes last. */
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

export interface Step extends Sums {
  /** First second. */
  readonly at: number
  readonly byKey: ReadonlyMap<string, Sums>
}

/** Every step of the range, also those in which nothing happened. */
export function stepsOf({ points, stepSeconds, start, end }: SeriesData): readonly Step[] {
  const times = timesOf(points, { stepSeconds, start, end })
  return times.map((at) => {
    const here = points.filter((point) => point.at === at)
    return { ...totalOf(here), at, byKey: new Map(here.map((point) => [nameOf(point), point])) }
  })
}

/** The server cuts steps at the reader's midnight; where it does is known from any point. */
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

/** Milliseconds of a charged call; `undefined` without any. */
export function averageMs({ duration_ms: whole, calls }: Sums): number | undefined {
  return calls > 0 ? whole / calls : undefined
}

export function averageFirstMs({ first_byte_ms: whole, first_bytes: calls }: Sums): number | undefined {
  return calls > 0 ? whole / calls : undefined
}

/** Of all calls; `undefined` without any. */
export function errorShare({ calls, errors }: Sums): number | undefined {
  return calls + errors > 0 ? errors / (calls + errors) : undefined
}
