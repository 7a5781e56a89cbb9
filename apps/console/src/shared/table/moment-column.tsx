import { Moment } from '../format/moment.tsx'
import type { Column } from './column.ts'

interface MomentColumnInput<Row> extends Omit<Column<Row>, 'render'> {
  /** Unix time; 0 shows a dash. */
  readonly seconds: (row: Row) => number
}

/** A column of times in their short form, with the full time in the tooltip. */
export function momentColumn<Row>({ seconds, ...column }: MomentColumnInput<Row>): Column<Row> {
  return { ...column, render: (row) => <Moment seconds={seconds(row)} /> }
}
