import { expect, it } from 'vitest'
import { type KeySums, totalOf } from './series/series.ts'
import { sharesOf, shareText } from './shares.ts'

const keyOf = (key: string, quota: number, isRest = false): KeySums => ({
  ...totalOf([]),
  key,
  label: key,
  isRest,
  quota,
})
const parts = (...keys: KeySums[]) =>
  sharesOf(keys, 'spent').map(({ key, amount, part }) => [key.key, amount, shareText(part)])

it('shares are sorted by the measured amount, with the rest last', () => {
  expect(parts(keyOf('rest', 600, true), keyOf('o1', 100), keyOf('gpt-4o', 300))).toEqual([
    ['gpt-4o', 300, '30.0 %'],
    ['o1', 100, '10.0 %'],
    ['rest', 600, '60.0 %'],
  ])
})

it('a key with a negative amount has a share of zero', () => {
  expect(parts(keyOf('gpt-4o', 300), keyOf('suno', -50))).toEqual([
    ['gpt-4o', 300, '100.0 %'],
    ['suno', -50, '0.0 %'],
  ])
  expect(parts(keyOf('gpt-4o', 0))).toEqual([['gpt-4o', 0, '0.0 %']])
})

it('a tiny share is not shown as zero', () => {
  expect(parts(keyOf('gpt-4o', 999_999), keyOf('o1', 1)).at(-1)).toEqual(['o1', 1, '<0.1 %'])
})
