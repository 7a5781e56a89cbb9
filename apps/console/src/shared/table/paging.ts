import { useState } from 'react'
import { numberField } from '../routing/search-fields.ts'
import { isPhone } from '../page/use-is-phone.ts'
import { readText, storageKeys, writeText } from '../session/storage.ts'

export const pageSizes = [10, 20, 50, 100] as const
/** Fewer rows on a phone, where each row has two lines. */
const DEFAULT_ROWS = { desk: 20, phone: 10 } as const

/** The page in the address: `?p=2`, starting at 1. Put it into the search schema of the page as `p`. */
export const pageParameter = numberField({ min: 1, fallback: 1 })

export interface Paging {
  /** Starts at 1. */
  readonly page: number
  readonly pageSize: number
  readonly onPage: (page: number) => void
  /** Absent if the size is fixed, as in a drawer. */
  readonly onPageSize?: (pageSize: number) => void
}

/** The reader's page size, stored for all tables. */
export function usePageSize(): readonly [number, (size: number) => void] {
  const [size, setSize] = useState(storedPageSize)
  return [
    size,
    (next) => {
      writeText(storageKeys.pageSize, String(next))
      setSize(next)
    },
  ]
}

/** Paging with the page number in the address; a new page size returns to the first page. */
export function usePaging(page: number, goTo: (change: { p: number }) => void): Required<Paging> {
  const [pageSize, setPageSize] = usePageSize()
  return {
    page,
    pageSize,
    onPage: (next) => goTo({ p: next }),
    onPageSize: (next) => {
      setPageSize(next)
      goTo({ p: 1 })
    },
  }
}

export function storedPageSize(): number {
  const stored = Number(readText(storageKeys.pageSize))
  return pageSizes.find((size) => size === stored) ?? (isPhone() ? DEFAULT_ROWS.phone : DEFAULT_ROWS.desk)
}

export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}

/** The range of the visible rows: `{ from: 11, to: 20 }`; zeros if there are none. */
export function rangeOf(
  paging: Pick<Paging, 'page' | 'pageSize'>,
  total: number,
): { from: number; to: number } {
  const from = (paging.page - 1) * paging.pageSize + 1
  if (from > total) return { from: 0, to: 0 }
  return { from, to: Math.min(total, from + paging.pageSize - 1) }
}
