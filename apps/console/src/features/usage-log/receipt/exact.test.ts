import { decimalText, ZERO } from '@tollgate/billing/decimal'
import { describe, expect, it } from 'vitest'
import { exactOf, quotientText, shift, truncate } from './exact.ts'

const exact = (value: unknown) => exactOf(value) ?? ZERO

describe('exact decimals', () => {
  it.each([
    [1.25, '1.25'],
    ['0.10', '0.1'],
    [1e-7, '0.0000001'],
    ['2.5e3', '2500'],
    [-0.5, '-0.5'],
    ['100', '100'],
  ])('parses %s', (value, text) => {
    expect(decimalText(exact(value))).toBe(text)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '', 'abc', '1,5', '0x10', null, {}, '1e99'])(
    'rejects %s',
    (value) => {
      expect(exactOf(value)).toBeUndefined()
    },
  )

  it('rounds towards zero', () => {
    expect(['0.99', '-1.5'].map((text) => truncate(exact(text)))).toEqual([0n, -1n])
  })

  it('divides to a given number of decimals', () => {
    expect(quotientText(exact('32438.25'), exact(500_000), 6)).toBe('0.064877')
    expect(quotientText(exact(32_438), exact(500_000), 6)).toBe('0.064876')
    expect(quotientText(exact(1), exact(3), 4)).toBe('0.3333')
    expect(quotientText(exact(1), ZERO, 2)).toBe('0')
  })

  it('shifts the decimal point', () => {
    expect(decimalText(shift(exact('1.5'), 6))).toBe('1500000')
    expect(decimalText(shift(exact('1.5'), -6))).toBe('0.0000015')
  })
})
