import { type RawBuilder, sql } from 'kysely'
import type { TimeRange } from '../logs/places.ts'
import { DAY_SECONDS, HOURS_OF, HOUR_SECONDS } from './aggregation.ts'
import type { SummedSpan, UsageStep } from './parts.ts'

/**
 * Builds days of another time zone from the sums of UTC days. Each UTC day is counted for the local day that
 * contains its longer part; the hours of the shorter part are then moved to the neighbouring day.
 */

export interface StepTime {
  /** First second of the step that a row belongs to. */
  readonly at: RawBuilder<unknown>
  /** Step in which the row was already counted and from which it is subtracted. */
  readonly takenAt?: RawBuilder<unknown>
}

export interface ShiftedSpan extends SummedSpan {
  readonly time: StepTime
  /** Restricts the span to these hours. */
  readonly hours?: RawBuilder<boolean>
}

export function stepAt(time: RawBuilder<unknown>, { seconds, shiftSeconds }: UsageStep): RawBuilder<unknown> {
  return sql`${time} - ((${time} + ${sql.lit(shiftSeconds)}) % ${sql.lit(seconds)})`
}

const HOUR_AT = sql.ref('hour_at')
const OF_DAY = sql`(${HOUR_AT} % ${sql.lit(DAY_SECONDS)})`
const HALF_DAY_SECONDS = DAY_SECONDS / 2

/**
 * The spans to read for such steps: the span itself, or its days plus the hours that belong to a neighbouring
 * day.
 */
export function shifted(span: SummedSpan, step: UsageStep): readonly ShiftedSpan[] {
  const shift = step.shiftSeconds % DAY_SECONDS
  const hoursTable = MADE_OF.get(span.table)
  if (!hoursTable || shift === 0) return [{ ...span, time: { at: stepAt(HOUR_AT, step) } }]
  const isEndMoved = shift <= HALF_DAY_SECONDS
  const within = isEndMoved ? 0 : DAY_SECONDS - 1
  const dayAt = stepAt(sql`(${HOUR_AT} - ${OF_DAY} + ${sql.lit(within)})`, step)
  return [
    { ...span, time: { at: dayAt } },
    {
      ...span,
      table: hoursTable,
      time: { at: stepAt(HOUR_AT, step), takenAt: dayAt },
      hours: isMoved(span, { begins: DAY_SECONDS - shift, isEndMoved }),
    },
  ]
}

/** Maximum number of hours that are listed one by one. */
const NAMED_HOURS_MAX = 3000

interface MovedHours {
  /** Second of the UTC day at which the local day begins. */
  readonly begins: number
  /** True: the hours from `begins` on are moved. False: the hours before it are moved. */
  readonly isEndMoved: boolean
}

/**
 * Listed hours are found through the index one by one. A condition with a remainder is evaluated for every
 * hour.
 */
function isMoved({ from, before }: SummedSpan, { begins, isEndMoved }: MovedHours): RawBuilder<boolean> {
  const hours = (before - from) / HOUR_SECONDS
  if (hours > NAMED_HOURS_MAX)
    return isEndMoved
      ? sql<boolean>`${OF_DAY} >= ${sql.lit(begins)}`
      : sql<boolean>`${OF_DAY} < ${sql.lit(begins)}`
  const moved = Array.from({ length: hours }, (_, index) => from + index * HOUR_SECONDS).filter(
    (at) => at % DAY_SECONDS >= begins === isEndMoved,
  )
  return sql<boolean>`${HOUR_AT} in (${sql.join(moved)})`
}

const MADE_OF: ReadonlyMap<string, SummedSpan['table']> = new Map(Object.entries(HOURS_OF))

/** More days than that in a range are as much as a chart has. */
const SPLIT_HOURS_MAX = 400

/**
 * Where a step begins within a summed hour, as days do in India or Nepal: the times from there to the end of the hour,
 * whose rows the sums count for the step before. Hours before `frozen` have no rows any more and stay as they are.
 */
export function listSplitHours(
  spans: readonly SummedSpan[],
  { seconds, shiftSeconds }: UsageStep,
  frozen: number,
): readonly TimeRange[] {
  const inHour = (HOUR_SECONDS - (shiftSeconds % HOUR_SECONDS)) % HOUR_SECONDS
  if (inHour === 0) return []
  const splits = spans.flatMap(({ from, before }) => {
    const first = from + ((seconds - ((from + shiftSeconds) % seconds)) % seconds)
    const count = Math.max(0, Math.ceil((before - first) / seconds))
    return Array.from({ length: count }, (_, index) => first + index * seconds)
  })
  return splits
    .filter((at) => at - inHour >= frozen)
    .slice(-SPLIT_HOURS_MAX)
    .map((at) => ({ from: at, until: at - inHour + HOUR_SECONDS - 1 }))
}

/** Moves rows from the step in which their hour was counted to their own. */
export function buildMovedTime(step: UsageStep): StepTime {
  const createdAt = sql.ref('created_at')
  const hourAt = sql`(${createdAt} - (${createdAt} % ${sql.lit(HOUR_SECONDS)}))`
  return { at: stepAt(createdAt, step), takenAt: stepAt(hourAt, step) }
}
