import { expect, test } from 'vitest'
import { changedFields } from './changed-fields.ts'

test('lists only the fields that differ between two objects', () => {
  const before = JSON.stringify({ username: 'lin', role: 1, status: 1 })
  const after = JSON.stringify({ username: 'lin', role: 10, status: 1, note: 'new' })
  expect(changedFields(before, after)).toEqual([
    { name: 'role', before: '1', after: '10' },
    { name: 'note', before: undefined, after: 'new' },
  ])
})

test('treats a plain value as one field without a name', () => {
  expect(changedFields('"First"', '"Second"')).toEqual([{ name: '', before: 'First', after: 'Second' }])
})

test('treats an empty before as a creation, an empty after as a removal, and lists no fields if both are empty', () => {
  expect(changedFields('', '{"name":"a"}')).toEqual([{ name: 'name', before: undefined, after: 'a' }])
  expect(changedFields('{"name":"a"}', '')).toEqual([{ name: 'name', before: 'a', after: undefined }])
  expect(changedFields('', '')).toEqual([])
})

test('shows text that is not JSON unchanged', () => {
  expect(changedFields('', 'odd {')).toEqual([{ name: '', before: undefined, after: 'odd {' }])
})
