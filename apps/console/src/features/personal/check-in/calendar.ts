/**
 * One row of a month's calendar: seven days from Monday; `undefined` where the day would belong to another
 * month.
 */
export type Week = readonly (string | undefined)[]

const DAY_MS = 86_400_000
const DAYS_OF_A_WEEK = 7

/**
 * The weeks of a month. `month` as `2026-11`; days as `2026-11-21`. All dates are in UTC, as on the server.
 */
export function weeksOf(month: string): readonly Week[] {
  const first = Date.parse(`${month}-01T00:00:00Z`)
  const blanks = (new Date(first).getUTCDay() + DAYS_OF_A_WEEK - 1) % DAYS_OF_A_WEEK
  const days = Math.round((Date.parse(`${shifted(month, 1)}-01T00:00:00Z`) - first) / DAY_MS)
  const cells = Array.from(
    { length: Math.ceil((blanks + days) / DAYS_OF_A_WEEK) * DAYS_OF_A_WEEK },
    (_, index) => {
      const day = index - blanks
      return day >= 0 && day < days ? new Date(first + day * DAY_MS).toISOString().slice(0, 10) : undefined
    },
  )
  return Array.from({ length: cells.length / DAYS_OF_A_WEEK }, (_, week) =>
    cells.slice(week * DAYS_OF_A_WEEK, (week + 1) * DAYS_OF_A_WEEK),
  )
}

/** The month that is this number of months later. */
export function shifted(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 'YYYY-MM'.length)
}

/** The shortest weekday names of the language, Monday to Sunday. */
export function weekdayNames(locale: string): readonly string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' })
  // 1 January 2024 was a Monday.
  return Array.from({ length: DAYS_OF_A_WEEK }, (_, day) => format.format(Date.UTC(2024, 0, 1 + day)))
}

export function monthName(month: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  return format.format(Date.parse(`${month}-01T00:00:00Z`))
}
