/** The date at the site, as `YYYY-MM-DD`: in the local time zone of this process, which the setting `TimeZone` sets. */
export function formatLocalDay(ms: number): string {
  const date = new Date(ms)
  return formatDay(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

/** Local date and time with the zone, such as `2026-10-08 06:11 GMT+2`. */
export function formatLocalMinute(ms: number): string {
  const date = new Date(ms)
  const time = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  return `${formatLocalDay(ms)} ${time} ${formatZone(date)}`
}

/** The dates before and after a date, whatever the zone. */
export function listNeighbourDays(day: string): readonly string[] {
  const noon = Date.parse(`${day}T12:00:00Z`)
  return [-DAY_MS, DAY_MS].map((shift) => new Date(noon + shift).toISOString().slice(0, day.length))
}

/** The moments at which the days of a month begin, and the next month; `month` is from 1. */
export function listDayStarts(year: number, month: number): readonly number[] {
  const days = new Date(year, month, 0).getDate()
  return Array.from({ length: days + 1 }, (_, index) => new Date(year, month - 1, 1 + index).getTime())
}

export const DAY_MS = 86_400_000

function formatDay(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function formatZone(date: Date): string {
  const minutes = -date.getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `GMT${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}
