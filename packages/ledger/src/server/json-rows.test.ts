import { expect, test } from 'vitest'
import { key, optionalMoney } from '../rows/fields.ts'
import { RowTable } from '../rows/table.ts'
import { columnLists, jsonLists, jsonObjects } from './json-rows.ts'

const table = new RowTable<{ name: string; amount: bigint | undefined }>({
  name: 'some',
  fields: { name: key('name'), amount: optionalMoney('amount') },
})
const rows = [
  { name: 'a "b" \\', amount: 2n ** 62n },
  { name: 'NUL \0 and half a pair \ud800', amount: undefined },
]

test('rows are objects with exact amounts, texts that every engine stores, and no nulls', () => {
  expect(jsonObjects(table, rows)).toBe(
    String.raw`[{"name":"a \"b\" \\","amount":4611686018427387904},{"name":"NUL � and half a pair �"}]`,
  )
})

test('rows are lists of as many cells as there are columns', () => {
  expect(jsonLists(table, rows)).toBe(
    String.raw`[["a \"b\" \\","4611686018427387904"],["NUL � and half a pair �",null]]`,
  )
  expect(jsonLists(table, [])).toBe('[]')
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
