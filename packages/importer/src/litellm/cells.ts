import { parseJson } from '@tollgate/kit/json'
import { decimal, text } from '../cell.ts'
import type { SourceRow } from '../source.ts'

/** Quota units for a dollar: the usual ones, and those of an empty database here. */
export const UNITS_PER_DOLLAR = 500_000

export function readDollars(row: SourceRow, column: string): bigint {
  return BigInt(Math.round(decimal(row, column) * UNITS_PER_DOLLAR))
}

/** Whether the column holds a value: in LiteLLM none is no limit, and zero is a limit. */
export function hasValue(row: SourceRow, column: string): boolean {
  return (row[column] ?? null) !== null && row[column] !== ''
}

/** A list of PostgreSQL (`{a,"b c"}`), or of JSON. */
export function readList(row: SourceRow, column: string): readonly string[] {
  const stored = text(row, column).trim()
  if (stored.startsWith('[')) {
    const list = parseJson(stored)
    return Array.isArray(list) ? list.map(String) : []
  }
  const inner = /^\{(.*)\}$/s.exec(stored)?.[1] ?? ''
  return [...inner.matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll(/\\(.)/g, '$1'),
  )
}

/** The period of a budget here; `undefined` for one that has no counterpart. */
export function readPeriod(duration: string): 'day' | 'week' | 'month' | undefined {
  if (/^(1d|24h|daily)$/.test(duration)) return 'day'
  if (/^(7d|1w|weekly)$/.test(duration)) return 'week'
  return /^(30d|31d|1mo|monthly)$/.test(duration) ? 'month' : undefined
}
