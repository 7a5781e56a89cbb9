import { expect, it } from 'vitest'
import { cellsOf } from './cells-of.ts'
import type { Column } from './column.ts'

interface Row {
  readonly isFailed: boolean
}

const column = (key: string): Column<Row> => ({ key, title: key, render: () => key })
const subject: Column<Row> = {
  ...column('subject'),
  runsOver: ({ isFailed }) => (isFailed ? ['input', 'output'] : []),
}
const widths = (columns: readonly Column<Row>[], isFailed: boolean) =>
  cellsOf(columns, { isFailed }).map(({ column: { key }, width }) => `${key} ${width}`)

it('a cell extends over the columns to its right that its row leaves empty', () => {
  const columns = [subject, column('input'), column('output'), column('cost')]
  expect(widths(columns, true)).toEqual(['subject 3', 'cost 1'])
  expect(widths(columns, false)).toEqual(['subject 1', 'input 1', 'output 1', 'cost 1'])
})

it('a cell ends before the first column that has content', () => {
  expect(widths([subject, column('cost'), column('input')], true)).toEqual(['subject 1', 'cost 1', 'input 1'])
  expect(widths([subject, column('output')], true)).toEqual(['subject 2'])
})
