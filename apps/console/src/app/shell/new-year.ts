/** Uses the reader's own time zone and clock, even if that clock is wrong. */
export function isNewYearsDay(now = new Date()): boolean {
  return now.getMonth() === 0 && now.getDate() === 1
}
