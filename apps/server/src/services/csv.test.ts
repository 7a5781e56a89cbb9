import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('cells with commas, quotes and line ends are quoted', () => {
  expect(csvLine(['a', 'b,c', 'say "x"', 'two\nlines', -1])).toBe('a,"b,c","say ""x""","two\nlines",-1\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('%j is a text, not a formula', (text) => {
  expect(csvLine([text])).toBe(`'${text}\r\n`)
})
