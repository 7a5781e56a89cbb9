import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  idParams,
  oneBasedPage,
  pageRows,
  queryFilterId,
  queryFlag,
  queryTerm,
  zeroBasedPage,
} from './query.ts'

const listQuery = z.object({ p: zeroBasedPage, size: pageRows(), flag: queryFlag(), id: queryFilterId() })

describe('query schemas', () => {
  it('read a missing query as the first page of ten rows', () => {
    expect(listQuery.parse({})).toEqual({ p: 0, size: 10, flag: false, id: undefined })
  })

  it.each([
    ['a page size has a maximum', { size: '100000' }, { size: 100 }],
    ['a page size of 0 is not an empty page', { size: '0' }, { size: 10 }],
    ['a negative page size is the default', { size: '-1' }, { size: 10 }],
    ['a page that does not parse is the first', { p: 'abc' }, { p: 0 }],
    ['a negative page is the first', { p: '-4' }, { p: 0 }],
    ['a number too long to be exact does not parse', { p: '9'.repeat(40) }, { p: 0 }],
  ])('%s', (_title, query, expected) => {
    expect(listQuery.parse(query)).toMatchObject(expected)
  })

  it.each(['1', 't', 'T', 'true', 'True', 'TRUE', true])('read %s as true', (value) => {
    expect(queryFlag().parse(value)).toBe(true)
  })

  it.each(['0', 'f', 'false', 'yes', '', undefined, false])('read %s as false', (value) => {
    expect(queryFlag().parse(value)).toBe(false)
  })

  it('count pages from one where new-api does, and read 0 as the first page', () => {
    expect(['0', '1', '2', undefined].map((p) => oneBasedPage.parse(p))).toEqual([1, 1, 2, 1])
  })

  it('read 0 and invalid values of a filter as "no filter"', () => {
    expect(['0', '', 'x', undefined, '7'].map((id) => queryFilterId().parse(id))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      7,
    ])
  })

  it('trim search terms and limit them to 64 characters', () => {
    expect(queryTerm().parse('  a ')).toBe('a')
    expect(queryTerm().parse('   ')).toBeUndefined()
    expect(queryTerm().safeParse('x'.repeat(65)).success).toBe(false)
  })

  it.each(['0', '-1', 'abc', '1.5', '', '0x1', '1e3', ' 1', '1 ', '+1', '01', '9007199254740993'])(
    'reject %s as an id',
    (id) => {
      expect(idParams.safeParse({ id }).success).toBe(false)
    },
  )

  it('read an id from a path', () => {
    expect(idParams.parse({ id: '7' })).toEqual({ id: 7 })
  })
})
