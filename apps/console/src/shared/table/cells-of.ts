import type { Column } from './column.ts'

interface Cell<Row> {
  readonly column: Column<Row>
  /** Number of columns. */
  readonly width: number
}

/** The cells of a row, in order. Cells covered by an earlier cell are left out. */
export function cellsOf<Row>(columns: readonly Column<Row>[], row: Row): readonly Cell<Row>[] {
  const cells: Cell<Row>[] = []
  let next = 0
  while (next < columns.length) {
    const column = columns[next]
    if (column === undefined) break
    const width = widthOf(column, columns.slice(next + 1), row)
    cells.push({ column, width })
    next += width
  }
  return cells
}

function widthOf<Row>(column: Column<Row>, right: readonly Column<Row>[], row: Row): number {
  const free = column.runsOver?.(row) ?? []
  const taken = right.findIndex(({ key }) => !free.includes(key))
  return 1 + (taken === -1 ? right.length : taken)
}
