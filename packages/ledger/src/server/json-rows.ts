/** Rows of one statement as one parameter: JSON that both engines take apart, with amounts as exact integers. */
export type Cell = string | number | bigint | null

export type JsonRow = Readonly<Record<string, Cell>>

/** Nulls are left out: a missing field is null to both engines. */
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

/** Half a surrogate pair and NUL are not text to every engine; a row of the log must not keep a charge from being written. */
function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}
