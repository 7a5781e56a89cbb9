/** What a report has where a count belongs, if it is none. */
export const NO_COUNT = 'no-count'

/** Longer texts could not be read exactly. */
const DIGITS = /^\d{1,15}(?:\.0{1,15})?$/

/**
 * Reads a count as vendors write it: a number, or decimal text, both also with `.0`. `undefined`: nothing was
 * reported.
 */
export function readCount(value: unknown): number | undefined | typeof NO_COUNT {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : NO_COUNT
  return typeof value === 'string' && DIGITS.test(value) ? Number(value) : NO_COUNT
}

/** The count, or 0 for what is missing or no count. */
export function countOrZero(value: unknown): number {
  const count = readCount(value)
  return typeof count === 'number' ? count : 0
}

/** Whether something is reported that is no count. */
export function isNoCount(value: unknown): boolean {
  return readCount(value) === NO_COUNT
}
