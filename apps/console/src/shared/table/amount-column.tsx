import type { ReactNode } from 'react'
import { Amount } from '../format/amount.tsx'
import type { Column } from './column.ts'

interface AmountColumnInput<Row> extends Omit<Column<Row>, 'render' | 'isNumber' | 'amount'> {
  readonly amount: (row: Row) => number | undefined
  /** Shown if the row has no amount. */
  readonly instead?: (row: Row) => ReactNode
}

/** A column of amounts to compare: rounded to the same number of decimals, with every digit in the title. */
export function amountColumn<Row>({ instead, ...column }: AmountColumnInput<Row>): Column<Row> {
  return { ...column, isNumber: true, render: instead ?? (() => null) }
}

/** The columns with their amounts formatted for these rows. */
export function withAmounts<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly Column<Row>[] {
  return columns.map((column) => {
    const { amount } = column
    if (!amount) return column
    const among = rows.flatMap((row) => amount(row) ?? [])
    return {
      ...column,
      render: (row: Row) => {
        const units = amount(row)
        if (units === undefined) return column.render(row)
        return (
          <>
            <Amount units={units} among={among} />
            {column.beside?.(row)}
          </>
        )
      },
    }
  })
}
