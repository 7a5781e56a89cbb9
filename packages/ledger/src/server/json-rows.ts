import type { Cell, WrittenTable } from '../rows/table.ts'

/**
 * Passes the rows of a statement as one JSON parameter: a list of objects. Amounts are exact integers. Nulls are
 * left out, because a missing field is read as null.
 */
export function jsonObjects<Row>(table: Pick<WrittenTable<Row>, 'encode'>, rows: readonly Row[]): string {
  return `[${rows.map((row) => jsonObject(table.encode(row))).join(',')}]`
}

function jsonObject(cells: Iterable<readonly [string, Cell]>): string {
  let text = ''
  for (const [name, value] of cells)
    if (value !== null) text += `${text === '' ? '{' : ','}"${name}":${jsonCell(value)}`
  return text === '' ? '{}' : `${text}}`
}

/**
 * The same as a list of lists, whose cells have the order of the table's columns. MariaDB, which reads a row from
 * its beginning for each column, needs a third less time to unpack these.
 */
export function jsonLists<Row>(table: Pick<WrittenTable<Row>, 'encode'>, rows: readonly Row[]): string {
  return `[${rows.map((row) => jsonList(table.encode(row))).join(',')}]`
}

function jsonList(cells: Iterable<readonly [string, Cell]>): string {
  let text = ''
  for (const [, value] of cells)
    text += `${text === '' ? '[' : ','}${value === null ? 'null' : jsonCell(value)}`
  return `${text}]`
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
