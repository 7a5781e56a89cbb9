import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  add,
  compare,
  decimalFromNumber,
  decimalText,
  multiply,
  parseDecimal,
  roundHalfAway,
  scaledOf,
  trimmed,
} from './decimal.ts'

test.each([
  [1.25, '1.25'],
  [0, '0'],
  [-0, '0'],
  [15, '15'],
  [1e-7, '0.0000001'],
  [1.5e-9, '0.0000000015'],
  [123e15, '123000000000000000'],
  [0.1369863014, '0.1369863014'],
  [4 / 3, '1.3333333333333333'],
  [-2.5, '-2.5'],
])('the JSON number %s is the decimal %s', (number, text) => {
  expect(decimalFromNumber(number)).toBe(text)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e18, 1e21, 1e-30])(
  '%s is outside the supported range',
  (number) => {
    expect(decimalFromNumber(number)).toBeUndefined()
  },
)

test.each(['', ' 1', '1.', '.5', '1e3', '+1', '1,5', '0x1', '1'.repeat(19), `0.${'1'.repeat(25)}`, '١'])(
  '%o is not a decimal',
  (text) => {
    expect(parseDecimal(text)).toBeUndefined()
  },
)

test('a negative or malformed stored price throws', () => {
  expect(() => scaledOf('-1')).toThrow(/never negative/)
  expect(() => scaledOf('1e3')).toThrow(/plain decimal/)
})

test.each([
  ['0.5', 1n],
  ['-0.5', -1n],
  ['1.5', 2n],
  ['2.5', 3n],
  ['-2.5', -3n],
  ['2.4999999999', 2n],
  ['-0.49', 0n],
  ['7', 7n],
])('%s rounds to %s', (text, rounded) => {
  const scaled = parseDecimal(text)
  expect(scaled && roundHalfAway(scaled)).toBe(rounded)
})

const anyScaled = fc.record({ digits: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), scale: fc.nat(20) })

test('decimal arithmetic agrees with exact fractions', () => {
  fc.assert(
    fc.property(anyScaled, anyScaled, (a, b) => {
      const unit = 10n ** 40n
      const at = ({ digits, scale }: { digits: bigint; scale: number }, times = 1n) =>
        (digits * unit * times) / 10n ** BigInt(scale)
      expect(at(add(a, b))).toBe(at(a) + at(b))
      expect(at(multiply(a, b), unit)).toBe(at(a) * at(b))
      expect(Math.sign(compare(a, b))).toBe(Number(at(a) > at(b)) - Number(at(a) < at(b)))
      expect(compare(trimmed(a), a)).toBe(0)
    }),
  )
})

test('decimalText returns the shortest form of the same value', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.nat(20), (digits, scale) => {
      const text = decimalText({ digits, scale })
      expect(text).not.toMatch(/\.\d*0$|^-0$|\.$/)
      const parsed = parseDecimal(text)
      expect(parsed && compare(parsed, { digits, scale })).toBe(0)
    }),
  )
})
