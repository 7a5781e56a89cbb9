/** Where the reader is: their own clock says so, right or wrong. */
export function isNewYearsDay(now = new Date()): boolean {
  return now.getMonth() === 0 && now.getDate() === 1
}
