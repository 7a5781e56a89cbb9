import type { SourceRow, SourceValue } from './source.ts'

/**
 * Readers for the cells of a source row. A column that an older release does not have reads as the default of
 * that release (`missing`). NULL reads as the empty text or zero, as new-api and its forks read it.
 */

export function text(row: SourceRow, column: string, missing = ''): string {
  const value = row[column]
  if (value === undefined) return missing
  return value === null ? '' : String(value)
}

/** A whole number, truncated toward zero. Text that is not a number reads as zero. */
export function units(row: SourceRow, column: string, missing = 0n): bigint {
  const value = row[column]
  return value === undefined ? missing : wholeOf(value)
}

/**
 * Whole number for everything except quota: ids, times, codes. A value outside the safe integer range is cut
 * to that range.
 */
export function whole(row: SourceRow, column: string, missing = 0): number {
  const value = units(row, column, BigInt(missing))
  const largest = BigInt(Number.MAX_SAFE_INTEGER)
  if (value > largest) return Number.MAX_SAFE_INTEGER
  return value < -largest ? -Number.MAX_SAFE_INTEGER : Number(value)
}

/** The largest value of a 32-bit column. */
const CODE_MAX = 2 ** 31 - 1

/** A small number: a kind, a state, or the seconds or tokens of a call. Cut to 32 bits. */
export function code(row: SourceRow, column: string, missing = 0): number {
  return Math.min(CODE_MAX, Math.max(-CODE_MAX, whole(row, column, missing)))
}

/** The end of the year 9999. */
const SECONDS_MAX = 253_402_300_799

/** A point in time, in Unix seconds. */
export function seconds(row: SourceRow, column: string): number {
  return Math.min(SECONDS_MAX, Math.max(0, whole(row, column)))
}

/** An end in Unix seconds; 0 is none. A negative one has passed in the source, and so it has here. */
export function end(row: SourceRow, column: string): number {
  return whole(row, column) < 0 ? 1 : seconds(row, column)
}

export function flag(row: SourceRow, column: string, missing: 0 | 1 = 0): 0 | 1 {
  const value = row[column]
  if (value === undefined) return missing
  return value === 'true' || wholeOf(value) !== 0n ? 1 : 0
}

export function decimal(row: SourceRow, column: string): number {
  const value = Number(row[column] ?? 0)
  return Number.isFinite(value) ? value : 0
}

/**
 * A point in time in milliseconds. Returns `null` for an empty cell and `unreadable` for text that is not a
 * time.
 */
export function moment(row: SourceRow, column: string, unreadable: number): number | null {
  const value = row[column]
  if (value === undefined || value === null || value === '') return null
  const ms = typeof value === 'string' ? momentOf(value) : Math.trunc(Number(value) * 1000)
  return ms === undefined || Math.abs(ms) > MOMENT_MAX ? unreadable : ms
}

/** The latest time that a JavaScript `Date` can hold. */
const MOMENT_MAX = 8.64e15

/** Matches `2024-05-01 12:34:56.789+08:00` and its shorter forms. Without a zone the time is UTC. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*\s*(Z|[+-]\d\d(?::?\d\d)?)?/

function momentOf(value: string): number | undefined {
  const [, day, time, fraction = '', zone = 'Z'] = MOMENT.exec(value) ?? []
  if (day === undefined || time === undefined) return undefined
  const ms = Date.parse(`${day}T${time}${fraction}${zoneOf(zone)}`)
  return Number.isNaN(ms) ? undefined : ms
}

function zoneOf(zone: string): string {
  const digits = zone.replace(':', '')
  return /^[+-]\d\d$/.test(digits) ? `${digits}:00` : digits.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
}

function wholeOf(value: SourceValue): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n
  const digits = /^\s*([+-]?\d+)/.exec(value ?? '')?.[1]
  return digits === undefined ? 0n : BigInt(digits)
}
