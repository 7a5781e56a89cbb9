import { expect, it } from 'vitest'
import { readNumber, textOfNumber } from './read-number.ts'

it.each([
  ['', undefined],
  ['  ', undefined],
  ['12', 12],
  [' -3.5 ', -3.5],
  ['1,000,000', 1_000_000],
  ['$5', 5],
  ['１２', 12],
  ['.5', 0.5],
  ['7.', 7],
])('reads %j as %j', (text, number) => {
  expect(readNumber(text, 1)).toBe(number)
})

it.each(['abc', '1,5', '12 apples', '1e9', '--1', '🦊', 'Name\tKey', '0x10', 'NaN', 'Infinity'])(
  'does not accept %j as a number',
  (text) => {
    expect(readNumber(text, 1)).toBeNaN()
  },
)

it('converts dollars to units, and units to dollars without trailing zeros', () => {
  expect(readNumber('0.2', 500_000)).toBe(100_000)
  expect(textOfNumber(100_000, 500_000)).toBe('0.2')
  expect(textOfNumber(1, 500_000)).toBe('0.000002')
  expect(textOfNumber(undefined, 500_000)).toBe('')
  expect(textOfNumber(NaN, 1)).toBe('')
})
