import { expect, test } from 'vitest'
import { linesOf } from './diff.tsx'

test('lines that went, came and stayed', () => {
  expect(linesOf('one\ntwo\nthree', 'one\n2\nthree\nfour')).toEqual([
    { sign: ' ', text: 'one' },
    { sign: '-', text: 'two' },
    { sign: '+', text: '2' },
    { sign: ' ', text: 'three' },
    { sign: '+', text: 'four' },
  ])
})

test('a value that was empty only came', () => {
  expect(linesOf('', 'true')).toEqual([{ sign: '+', text: 'true' }])
})
