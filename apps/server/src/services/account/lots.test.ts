import { expect, test } from 'vitest'
import { openLots } from './lots.ts'

const lots = openLots(Buffer.from('a key'))

test('a draw stays in its range, comes out the same again, and reaches both ends', () => {
  const drawn = Array.from({ length: 2000 }, (_one, index) => lots.draw(`day ${index}`, { min: 3, max: 7 }))
  expect(new Set(drawn)).toEqual(new Set([3, 4, 5, 6, 7]))
  expect(lots.draw('day 1', { min: 3, max: 7 })).toBe(drawn[1])
})

test('another key draws otherwise, and a range of one number is that number', () => {
  const other = openLots(Buffer.from('another key'))
  const wide = { min: 0, max: Number.MAX_SAFE_INTEGER }
  expect(other.draw('a', wide)).not.toBe(lots.draw('a', wide))
  expect(lots.draw('a', { min: 5, max: 5 })).toBe(5)
})
