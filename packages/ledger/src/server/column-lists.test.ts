import { expect, test } from 'vitest'
import { key, optionalMoney } from '../rows/fields.ts'
import { RowTable } from '../rows/table.ts'
import { columnLists } from './column-lists.ts'

const table = new RowTable<{ name: string; amount: bigint | undefined }>({
  name: 'some',
  fields: { name: key('name'), amount: optionalMoney('amount') },
})

test('each column is one list, with exact amounts and texts that every engine stores', () => {
  const rows = [
    { name: 'a "b" \\', amount: 7n },
    { name: '', amount: undefined },
    { name: 'NUL \0 and half a pair \ud800', amount: -(2n ** 62n) },
  ]
  expect(columnLists(table, rows)).toEqual([
    JSON.stringify(['a "b" \\', '', 'NUL \uFFFD and half a pair \uFFFD']),
    `[7,null,"-4611686018427387904"]`,
  ])
})

test('no rows are empty lists', () => {
  expect(columnLists(table, [])).toEqual(['[]', '[]'])
})
