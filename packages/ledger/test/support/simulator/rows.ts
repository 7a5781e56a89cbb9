import type { SqliteValue } from '@tollgate/store/sqlite/connection'
import { isMoneyColumn } from '@tollgate/store/tables/money-columns'
import type { RowTable } from '../../../src/rows/table.ts'
import type { Fields } from '../../../src/server/statements.ts'

/** A row of the simulated database, by column. */
export type Row = Readonly<Record<string, SqliteValue>>

/** Parses the rows in a statement's parameter. Their texts must not look like JSON fields with numbers. */
export function readRows(parameter: string, fields: Fields): readonly Row[] {
  const exact = parameter.replaceAll(/:(-?\d+)(?=[,}])/g, ':"$1"')
  const rows: unknown = JSON.parse(exact)
  if (!Array.isArray(rows)) throw new TypeError('rows come as a list')
  return rows.map((row: unknown) =>
    Object.fromEntries(Object.entries(fields).map(([name, word]) => [name, cell(row, name, word)])),
  )
}

function cell(row: unknown, name: string, word: string): SqliteValue {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : ''
  if (word === 'key' || word === 'text') return text
  return isMoneyColumn(name) ? BigInt(text) : Number(text)
}

export function decodeRow<State extends object>(table: RowTable<State>, row: Row): State {
  return table.decode(pick(row, table.columns))
}

/** The cells of these columns. */
export function pick(row: Row, columns: readonly string[]): readonly SqliteValue[] {
  return columns.map((name) => row[name] ?? null)
}
