import { describe, expect, it } from 'vitest'
import { decimal, flag, moment, text, units, whole } from './cell.ts'

describe('a cell', () => {
  it('NULL reads as empty or zero, and a missing column as its default', () => {
    const row = { name: null, count: null, on: null, ratio: null }
    expect([
      text(row, 'name'),
      units(row, 'count'),
      whole(row, 'count'),
      flag(row, 'on'),
      decimal(row, 'ratio'),
    ]).toEqual(['', 0n, 0, 0, 0])
    expect([
      text({}, 'name', 'x'),
      units({}, 'count', 5n),
      whole({}, 'count', -1),
      flag({}, 'on', 1),
    ]).toEqual(['x', 5n, -1, 1])
  })

  it.each([
    [7n, 7n],
    [9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n],
    [1.9, 1n],
    [-1.9, -1n],
    ['12', 12n],
    ['-12.70', -12n],
    ['many', 0n],
    [Number.NaN, 0n],
  ])('reads %s as %s quota units', (value, expected) => {
    expect(units({ quota: value }, 'quota')).toBe(expected)
  })

  it('cuts integers other than quota to the safe range of a number', () => {
    expect(whole({ id: 2n ** 63n - 1n }, 'id')).toBe(Number.MAX_SAFE_INTEGER)
    expect(whole({ id: -(2n ** 63n) }, 'id')).toBe(-Number.MAX_SAFE_INTEGER)
  })

  it.each([
    [1n, 1],
    [0n, 0],
    ['true', 1],
    ['false', 0],
    ['1', 1],
  ])('reads %s as the flag %d', (value, expected) => {
    expect(flag({ on: value }, 'on')).toBe(expected)
  })

  const noon = Date.UTC(2024, 4, 1, 12, 0, 0)
  it.each([
    ['2024-05-01 12:00:00+00:00', noon],
    ['2024-05-01 12:00:00', noon],
    ['2024-05-01T12:00:00Z', noon],
    ['2024-05-01 12:00:00+00', noon],
    ['2024-05-01 20:00:00+08:00', noon],
    ['2024-05-01 20:00:00.123456789+08:00', noon + 123],
    ['2024-05-01 20:00:00.5 +0800 CST', noon + 500],
    ['2024-05-01 12:00:00.000', noon],
    [1_714_564_800n, noon],
    [1_714_564_800.25, noon + 250],
    [1e300, -1],
    [9_223_372_036_854_775_807n, -1],
    ['', null],
    [null, null],
    ['some day', -1],
  ])('reads %s as the time %s', (value, expected) => {
    expect(moment({ at: value }, 'at', -1)).toBe(expected)
  })
})
