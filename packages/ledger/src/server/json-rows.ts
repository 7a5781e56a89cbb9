import type { Cell, WrittenTable } from '../rows/table.ts'

/**
 * Passes the rows of a statement as one JSON parameter that both engines can unpack. Amounts are exact
 * integers. Nulls are left out: both engines read a missing field as null.
 */
export function jsonRows<Row>(table: Pick<WrittenTable<Row>, 'encode'>, rows: readonly Row[]): string {
  return `[${rows.map((row) => jsonRow(table.encode(row))).join(',')}]`
}

function jsonRow(cells: Iterable<readonly [string, Cell]>): string {
  let text = ''
  for (const [name, value] of cells)
    if (value !== null) text += `${text === '' ? '{' : ','}"${name}":${jsonCell(value)}`
  return text === '' ? '{}' : `${text}}`
}

function jsonCell(value: Exclude<Cell, null>): string {
  return typeof value === 'string' ? JSON.stringify(storable(value)) : String(value)
}

/**
 * Replaces characters that some engine rejects (lone surrogates and NUL), because a bad log row must not keep
 * a charge from being written.
 */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}
