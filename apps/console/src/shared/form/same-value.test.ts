import { expect, it } from 'vitest'
import { isSameValue } from './same-value.ts'

it.each([
  [{ name: '' }, { name: undefined }],
  [
    { name: 'a', tags: ['x'] },
    { tags: ['x'], name: 'a' },
  ],
  [{}, { note: null }],
  [[], []],
])('%j is the same as %j', (left, right) => {
  expect(isSameValue(left, right)).toBe(true)
})

it.each([
  [{ name: 'a' }, { name: 'b' }],
  [{ count: 0 }, { count: undefined }],
  [{ isOn: false }, {}],
  [{ tags: ['x'] }, { tags: ['x', 'y'] }],
  [{ tags: [] }, { tags: {} }],
])('%j is not the same as %j', (left, right) => {
  expect(isSameValue(left, right)).toBe(false)
})
