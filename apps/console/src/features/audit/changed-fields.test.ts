import { expect, test } from 'vitest'
import { changedFields } from './changed-fields.ts'

test('of two objects only what differs is left', () => {
  const before = JSON.stringify({ username: 'lin', role: 1, status: 1 })
  const after = JSON.stringify({ username: 'lin', role: 10, status: 1, note: 'new' })
  expect(changedFields(before, after)).toEqual([
    { name: 'role', before: '1', after: '10' },
    { name: 'note', before: undefined, after: 'new' },
  ])
})

test('a plain value is one field without a name', () => {
  expect(changedFields('"First"', '"Second"')).toEqual([{ name: '', before: 'First', after: 'Second' }])
})

test('nothing before is a creation, nothing after a removal, nothing at all a mere deed', () => {
  expect(changedFields('', '{"name":"a"}')).toEqual([{ name: 'name', before: undefined, after: 'a' }])
  expect(changedFields('{"name":"a"}', '')).toEqual([{ name: 'name', before: 'a', after: undefined }])
  expect(changedFields('', '')).toEqual([])
})

test('text that is no JSON is shown as it is', () => {
  expect(changedFields('', 'odd {')).toEqual([{ name: '', before: undefined, after: 'odd {' }])
})
