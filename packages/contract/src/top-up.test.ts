import { expect, test } from 'vitest'
import { topUpRoutes } from './top-up.ts'

const body = topUpRoutes.amount.body

test.each([
  [7, 7],
  ['7', 7],
  ['0', 0],
])('the amount %j is %d', (amount, read) => {
  expect(body.parse({ amount })).toMatchObject({ amount: read })
})

test.each([
  [[1]],
  [['1']],
  [[]],
  [null],
  [true],
  [{}],
  [''],
  [' 1'],
  ['1e3'],
  ['0x10'],
  ['1.5'],
  [1.5],
  [-1],
  ['-1'],
])('the amount %j is refused', (amount) => {
  expect(body.safeParse({ amount }).success).toBe(false)
})
