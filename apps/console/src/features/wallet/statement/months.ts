/** Months in UTC, as on the server: `2026-11`. */
export function currentMonth(now: Date = new Date()): string {
  return now.toISOString().slice(0, 'YYYY-MM'.length)
}

export function shiftedMonth(month: string, by: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 'YYYY-MM'.length)
}
