import { type RawBuilder, sql } from 'kysely'
import { DAY_SECONDS, HOURS_OF, HOUR_SECONDS } from './usage-folds.ts'
import type { SummedSpan, UsageStep } from './usage-parts.ts'

/**
 * Days that begin at another hour than those of UTC, made of the sums of UTC's days. The whole day goes to the local day
 * that has the longer part of it; the hours of the shorter part are moved to the day beside it.
 */

export interface StepTime {
  /** The first second of the step of a row. */
  readonly at: RawBuilder<unknown>
  /** Where the row has been counted too, and is to be taken from. */
  readonly takenAt?: RawBuilder<unknown>
}

export interface ShiftedSpan extends SummedSpan {
  readonly time: StepTime
  /** Only these of the span. */
  readonly hours?: RawBuilder<boolean>
}

export function stepAt(time: RawBuilder<unknown>, { seconds, shiftSeconds }: UsageStep): RawBuilder<unknown> {
  return sql`${time} - ((${time} + ${sql.lit(shiftSeconds)}) % ${sql.lit(seconds)})`
}

const HOUR_AT = sql.ref('hour_at')
const OF_DAY = sql`(${HOUR_AT} % ${sql.lit(DAY_SECONDS)})`
const HALF_DAY_SECONDS = DAY_SECONDS / 2

/** How a span is read for steps of that kind: as it is, or as days and the hours that belong to another. */
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

/** More are not named one by one. */
const NAMED_HOURS_MAX = 3000

interface MovedHours {
  /** The second of the day of UTC at which another day begins. */
  readonly begins: number
  /** What comes from then on moves; else what is before. */
  readonly isEndMoved: boolean
}

/** Hours that are named are found one by one; what a remainder says, engines ask of every hour there is. */
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
