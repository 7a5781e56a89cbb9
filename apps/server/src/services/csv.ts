/** A byte order mark, so that spreadsheets display Chinese text correctly. */
const UTF8_MARK = '\uFEFF'

export type CsvColumns<Row> = readonly (readonly [name: string, read: (row: Row) => string | number])[]

/**
 * Yields a CSV file with a heading, page by page; the next page is read once the previous one was consumed.
 */
export async function* csvParts<Row>(
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield UTF8_MARK + csvLine(columns.map(([name]) => name))
  for await (const rows of pages)
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map(([, read]) => read(row)))).join('')
}

/** Characters that start a formula in spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * One line of CSV according to RFC 4180. Text that a spreadsheet would take for a formula is marked as text.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvText(cell))).join(',')}\r\n`
}

function csvText(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
