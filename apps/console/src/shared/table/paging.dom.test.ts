import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { pageCount, pageParameter, rangeOf, storedPageSize, usePaging } from './paging.ts'

beforeEach(() => localStorage.clear())

describe('the page size', () => {
  it('is 20 on a desktop until the reader selects one of the offered sizes', () => {
    expect(storedPageSize()).toBe(20)
    localStorage.setItem('page-size', '50')
    expect(storedPageSize()).toBe(50)
    localStorage.setItem('page-size', '7000')
    expect(storedPageSize()).toBe(20)
  })

  it('is stored, and a change returns to the first page', () => {
    const goTo = vi.fn()
    const { result } = renderHook(() => usePaging(4, goTo))
    act(() => result.current.onPageSize(100))
    expect(localStorage.getItem('page-size')).toBe('100')
    expect(result.current.pageSize).toBe(100)
    expect(goTo).toHaveBeenCalledExactlyOnceWith({ p: 1 })
  })
})

it.each([
  ['3', 3],
  ['0', 1],
  ['-2', 1],
  ['2.5', 1],
  ['x', 1],
  [undefined, 1],
])('reads the page parameter %j as %d', (text, page) => {
  expect(pageParameter.parse(text)).toBe(page)
})

it('counts at least one page', () => {
  expect(pageCount(0, 10)).toBe(1)
  expect(pageCount(10, 10)).toBe(1)
  expect(pageCount(11, 10)).toBe(2)
})

it('computes the range of the visible rows', () => {
  expect(rangeOf({ page: 2, pageSize: 10 }, 15)).toEqual({ from: 11, to: 15 })
  expect(rangeOf({ page: 3, pageSize: 10 }, 15)).toEqual({ from: 0, to: 0 })
})
