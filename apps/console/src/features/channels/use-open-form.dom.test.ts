import { expect, it } from 'vitest'
import { editedIn } from './use-open-form.ts'

it.each([
  ['/channel', undefined],
  ['/channel/add', 'new'],
  ['/channel/edit/12', 12],
  ['/channel/edit/0', undefined],
  ['/channel/edit/all', undefined],
  ['/channel/edit/99999999999999999999', undefined],
])('at %s the open form is for %s', (pathname, edited) => {
  expect(editedIn(pathname)).toBe(edited)
})
