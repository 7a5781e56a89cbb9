import { expect, test } from 'vitest'
import { linesOf } from './diff.tsx'

test('marks lines as removed, added and unchanged', () => {
  expect(linesOf('one\ntwo\nthree', 'one\n2\nthree\nfour')).toEqual([
    { sign: ' ', text: 'one' },
    { sign: '-', text: 'two' },
    { sign: '+', text: '2' },
    { sign: ' ', text: 'three' },
    { sign: '+', text: 'four' },
  ])
})

test('shows only added lines for a value that was empty', () => {
  expect(linesOf('', 'true')).toEqual([{ sign: '+', text: 'true' }])
})
