/** A byte order mark, so that spreadsheets read Chinese. */
const UTF8_MARK = '\uFEFF'

/** What a file of rows has in its columns, in order. */
export type CsvColumns<Row> = readonly (readonly [name: string, read: (row: Row) => string | number])[]

/** A file with a heading, written page by page; the next page is read when the one before is on its way. */
export async function* csvParts<Row>(
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield UTF8_MARK + csvLine(columns.map(([name]) => name))
  for await (const rows of pages)
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map(([, read]) => read(row)))).join('')
}

/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** One line of CSV as RFC 4180 has it. A text that a spreadsheet would compute is marked as text. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvText(cell))).join(',')}\r\n`
}

function csvText(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
