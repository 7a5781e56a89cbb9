import { expect, test } from 'vitest'
import { csvLine, csvParts } from './csv.ts'

test('cells with commas, quotes and line breaks are quoted', () => {
  expect(csvLine(['a', 'b,c', 'say "x"', 'two\nlines', -1])).toBe('a,"b,c","say ""x""","two\nlines",-1\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])(
  '%j is marked as text, so that a spreadsheet does not read it as a formula',
  (text) => {
    expect(csvLine([text])).toBe(`'${text}\r\n`)
  },
)

test('pages are read one at a time, and reading stops when the consumer stops', async () => {
  const read: number[] = []
  let isClosed = false
  async function* pages() {
    try {
      for (const page of [1, 2, 3]) {
        read.push(page)
        yield [{ name: `n${page}` }]
      }
    } finally {
      isClosed = true
    }
  }
  const taken: string[] = []
  for await (const part of csvParts([['name', (row) => row.name]], pages())) {
    taken.push(part)
    if (taken.length === 2) break
  }
  expect(taken).toEqual(['\uFEFFname\r\n', 'n1\r\n'])
  expect(read).toEqual([1])
  expect(isClosed).toBe(true)
})
