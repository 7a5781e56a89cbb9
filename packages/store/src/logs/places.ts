import type { Page } from '../database/page.ts'

/** Inclusive, in seconds. */
export interface TimeRange {
  readonly from: number | undefined
  readonly until: number | undefined
}

/** Places in summed hours, latest first, and time ranges that are not summed yet. */
export interface LogPlaces {
  readonly spots: readonly RowSpan[]
  readonly ranges: readonly TimeRange[]
}

/** An hour in which a user has matching rows. */
export interface RowSpan {
  readonly userId: number
  /** All rows of the hour have ids from `firstId` to `lastId`. */
  readonly firstId: number
  readonly lastId: number
  /** At least this many rows match. */
  readonly calls: number
}

/** If a page needs more spots than this, walking along the log is faster. */
const READ_MAX = 400

/**
 * The spots that surely hold a page; `spots` must be sorted latest first. `undefined` when the page needs too
 * many.
 */
export function rowSpansForPage(
  spots: readonly RowSpan[],
  { limit, offset }: Page,
  beforeId = Infinity,
): readonly RowSpan[] | undefined {
  let [calls, firstId] = [0, Infinity]
  const needed: RowSpan[] = []
  for (const spot of spots) {
    if (spot.firstId >= beforeId) continue
    // Hours overlap in their ids, so a row of an earlier hour may have a larger id.
    if (calls >= offset + limit && spot.lastId < firstId) break
    if (spot.lastId < beforeId) calls += spot.calls
    firstId = Math.min(firstId, spot.firstId)
    needed.push(spot)
  }
  return needed.length <= READ_MAX ? needed : undefined
}
