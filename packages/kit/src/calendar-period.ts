/** A day, a week that begins on Monday, or a month, as the clock on the wall of this process has it (setting `TZ`). */
export type PeriodKind = 'day' | 'week' | 'month'

/** Milliseconds since the epoch; the end belongs to the next one. */
export interface CalendarPeriod {
  readonly sinceMs: number
  readonly untilMs: number
}

/** The period of a kind in which a moment lies. Days are 23 or 25 hours long where clocks are changed. */
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
