import { expect, test } from 'vitest'
import { openSeededRandom } from './seeded-random.ts'

const seededRandom = openSeededRandom(Buffer.from('a key'))

test('a draw is within its range, is repeatable, and reaches both ends of the range', () => {
  const drawn = Array.from({ length: 2000 }, (_one, index) =>
    seededRandom.draw(`day ${index}`, { min: 3, max: 7 }),
  )
  expect(new Set(drawn)).toEqual(new Set([3, 4, 5, 6, 7]))
  expect(seededRandom.draw('day 1', { min: 3, max: 7 })).toBe(drawn[1])
})

test('another key draws another number, and a range of one number always gives that number', () => {
  const other = openSeededRandom(Buffer.from('another key'))
  const wide = { min: 0, max: Number.MAX_SAFE_INTEGER }
  expect(other.draw('a', wide)).not.toBe(seededRandom.draw('a', wide))
  expect(seededRandom.draw('a', { min: 5, max: 5 })).toBe(5)
})
