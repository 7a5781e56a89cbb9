/**
 * Passes the rows of a statement as one JSON parameter that both engines can unpack. Amounts are exact
 * integers.
 */
export type Cell = string | number | bigint | null

export type JsonRow = Readonly<Record<string, Cell>>

/** Nulls are left out: both engines read a missing field as null. */
export function jsonRows(rows: readonly JsonRow[]): string {
  return `[${rows.map(jsonRow).join(',')}]`
}

function jsonRow(row: JsonRow): string {
  const fields = Object.entries(row).flatMap(([name, value]) =>
    value === null ? [] : [`"${name}":${jsonCell(value)}`],
  )
  return `{${fields.join(',')}}`
}

function jsonCell(value: Exclude<Cell, null>): string {
  return typeof value === 'string' ? JSON.stringify(storable(value)) : String(value)
}

/**
 * Replaces characters that some engine rejects (lone surrogates and NUL), because a bad log row must not keep
 * a charge from being written.
 */
function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}
