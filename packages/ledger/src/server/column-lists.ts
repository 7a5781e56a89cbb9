import type { Cell, WrittenTable } from '../rows/table.ts'
import { storable } from './json-rows.ts'

/**
 * Passes the rows of a statement as one JSON list for each column. For statements with many rows this costs less than
 * a list of objects, on both sides. Amounts beyond the exact range of a number are texts.
 */
export function columnLists<Row>(
  table: Pick<WrittenTable<Row>, 'words' | 'encode'>,
  rows: readonly Row[],
): readonly string[] {
  const columns: (string | number | null)[][] = Object.keys(table.words).map(() => [])
  for (const row of rows) {
    let index = 0
    for (const [, cell] of table.encode(row)) columns[index++]?.push(itemOf(cell))
  }
  return columns.map((cells) => JSON.stringify(cells))
}

function itemOf(cell: Cell): string | number | null {
  if (typeof cell === 'string') return storable(cell)
  return typeof cell === 'bigint' ? exact(cell) : cell
}

function exact(amount: bigint): number | string {
  const number = Number(amount)
  return Number.isSafeInteger(number) ? number : String(amount)
}
