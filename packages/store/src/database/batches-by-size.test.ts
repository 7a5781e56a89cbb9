import { expect, it } from 'vitest'
import { batchesBySize } from './batches-by-size.ts'

const MEGABYTE = 1_000_000

function sizes(lengths: readonly number[], letter = 'x'): readonly number[] {
  const rows = lengths.map((length, id) => ({ id, text: letter.repeat(length) }))
  const all = batchesBySize(rows)
  expect(all.flat()).toEqual(rows)
  return all.map(({ length }) => length)
}

it('keeps small rows together and in order', () => {
  expect(sizes([])).toEqual([])
  expect(sizes(Array.from({ length: 500 }, () => 100))).toEqual([500])
})

it('splits large rows by their size in bytes', () => {
  expect(sizes([MEGABYTE, MEGABYTE, MEGABYTE, 10, 10])).toEqual([2, 3])
  expect(sizes([MEGABYTE, MEGABYTE, MEGABYTE], '字')).toEqual([1, 1, 1])
})

it('puts a row that is larger than a portion into a portion of its own', () => {
  expect(sizes([10, 5 * MEGABYTE, 10])).toEqual([1, 1, 1])
})
