import type { Page } from './page.ts'

/** Inclusive seconds. */
export interface TimeRange {
  readonly from: number | undefined
  readonly until: number | undefined
}

/** Spots in summed hours, the latest first, and times that are not summed. */
export interface LogPlaces {
  readonly spots: readonly Spot[]
  readonly ranges: readonly TimeRange[]
}

/** Where rows of a user are, within an hour. */
export interface Spot {
  readonly userId: number
  /** Ids between which all rows of the hour are. */
  readonly firstId: number
  readonly lastId: number
  /** At least so many rows match. */
  readonly calls: number
}

/** A page that needs more of them is sooner found by walking along the log. */
const READ_MAX = 400

/** Those that hold a page for certain, of spots with the latest first; `undefined` when they are too many. */
export function spotsForPage(
  spots: readonly Spot[],
  { limit, offset }: Page,
  beforeId = Infinity,
): readonly Spot[] | undefined {
  let [calls, firstId] = [0, Infinity]
  const needed: Spot[] = []
  for (const spot of spots) {
    if (spot.firstId >= beforeId) continue
    // The ids of hours overlap: a row of an earlier one may be the later row.
    if (calls >= offset + limit && spot.lastId < firstId) break
    if (spot.lastId < beforeId) calls += spot.calls
    firstId = Math.min(firstId, spot.firstId)
    needed.push(spot)
  }
  return needed.length <= READ_MAX ? needed : undefined
}
