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
