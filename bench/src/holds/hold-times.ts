import { read } from '../admin-api.ts'
import type { Store } from '@tollgate/store/database/open-store'

/** The log tells durations to a tenth of a millisecond. */
const STEP_MS = 0.1
const CONSUMPTION = 2

/** How long each call since this second waited for its hold, as the gateway wrote into its log. */
export async function readHoldTimes({ db }: Store, sinceSeconds: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('logs')
    .select('other')
    .where('type', '=', CONSUMPTION)
    .where('created_at', '>=', sinceSeconds)
    .execute()
  return rows.map(({ other }) => holdMsIn(other))
}

export function holdMsIn(other: string): number {
  const details: unknown = JSON.parse(other)
  const holdMs = read(read(details, 'receipt'), 'hold_ms')
  if (typeof holdMs !== 'number') throw new Error(`a log row states no hold_ms: ${other.slice(0, 200)}`)
  return holdMs
}

/**
 * A quantile of values that were rounded to a step: those that were rounded to the same value count as spread
 * evenly over it.
 */
export function roundedQuantile(values: readonly number[], share: number, step = STEP_MS): number {
  const sorted = values.toSorted((left, right) => left - right)
  const rank = share * sorted.length
  const value = sorted[Math.min(sorted.length - 1, Math.floor(rank))]
  if (value === undefined) return Number.NaN
  const from = Math.max(0, value - step / 2)
  const below = sorted.filter((each) => each < value).length
  const same = sorted.filter((each) => each === value).length
  return from + ((value + step / 2 - from) * (rank - below)) / same
}
