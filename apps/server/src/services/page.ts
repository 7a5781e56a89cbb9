import type { Page } from '@tollgate/store/database/page'

/** A page of a list that is counted from 1. */
export interface PageQuery {
  readonly p: number
  readonly page_size: number
}

interface PageReads<Row, Item> {
  readonly list: (page: Page) => Promise<readonly Row[]>
  readonly count: () => Promise<number>
  readonly show: (rows: readonly Row[]) => readonly Item[] | Promise<readonly Item[]>
}

/** Reads the rows of a page and the number of all rows at the same time. */
export async function readPage<Row, Item>(
  { p, page_size }: PageQuery,
  { list, count, show }: PageReads<Row, Item>,
) {
  const [rows, total] = await Promise.all([list({ offset: (p - 1) * page_size, limit: page_size }), count()])
  return { items: [...(await show(rows))], total, page: p, page_size }
}
