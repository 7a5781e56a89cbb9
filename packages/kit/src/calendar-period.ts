/** Calendar periods in the local time zone of this process (setting `TZ`). A week begins on Monday. */
export type PeriodKind = 'day' | 'week' | 'month'

/** Milliseconds since the epoch; `untilMs` is exclusive. */
export interface CalendarPeriod {
  readonly sinceMs: number
  readonly untilMs: number
}

/**
 * The calendar period of the given kind that contains a moment. A day has 23 or 25 hours when the clocks
 * change.
 */
export function periodAt(kind: PeriodKind, nowMs: number): CalendarPeriod {
  const now = new Date(nowMs)
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const midnight = (monthOf: number, dayOf: number) => new Date(year, monthOf, dayOf).getTime()
  if (kind === 'month') return { sinceMs: midnight(month, 1), untilMs: midnight(month + 1, 1) }
  const first = kind === 'day' ? day : day - daysSinceMonday(now)
  return { sinceMs: midnight(month, first), untilMs: midnight(month, first + (kind === 'day' ? 1 : 7)) }
}

function daysSinceMonday(date: Date): number {
  return (date.getDay() + 6) % 7
}
