import { type RawBuilder, sql } from 'kysely'
import { DAYS_OF, DAY_SECONDS } from './usage-folds.ts'
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
  /** Of the hours of the span. */
  readonly hours?: RawBuilder<boolean>
}

export function stepAt(time: RawBuilder<unknown>, { seconds, shiftSeconds }: UsageStep): RawBuilder<unknown> {
  return sql`${time} - ((${time} + ${sql.lit(shiftSeconds)}) % ${sql.lit(seconds)})`
}

const HOUR_AT = sql.ref('hour_at')
const HALF_DAY_SECONDS = DAY_SECONDS / 2

/** How a span is read for steps of that kind: as it is, or as days and the hours that belong to another. */
export function shifted(span: SummedSpan, step: UsageStep): readonly ShiftedSpan[] {
  const shift = step.shiftSeconds % DAY_SECONDS
  const hoursTable = HOURS_OF.get(span.table)
  if (!hoursTable || shift === 0) return [{ ...span, time: { at: stepAt(HOUR_AT, step) } }]
  const begins = sql.lit(DAY_SECONDS - shift)
  const ofDay = sql`(${HOUR_AT} % ${sql.lit(DAY_SECONDS)})`
  const isEndMoved = shift <= HALF_DAY_SECONDS
  const within = isEndMoved ? 0 : DAY_SECONDS - 1
  const dayAt = stepAt(sql`(${HOUR_AT} - ${ofDay} + ${sql.lit(within)})`, step)
  return [
    { ...span, time: { at: dayAt } },
    {
      ...span,
      table: hoursTable,
      time: { at: stepAt(HOUR_AT, step), takenAt: dayAt },
      hours: isEndMoved ? sql<boolean>`${ofDay} >= ${begins}` : sql<boolean>`${ofDay} < ${begins}`,
    },
  ]
}

const HOURS_OF: ReadonlyMap<SummedSpan['table'], SummedSpan['table']> = new Map(
  (['usage_routes', 'usage_owners'] as const).map((table) => [DAYS_OF[table], table]),
)
