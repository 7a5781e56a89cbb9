import type { Page, TableSource } from './column.ts'

interface Answer<Row> {
  readonly items: readonly Row[]
  readonly total: number
}

/** The rows that a list route answers with. */
export async function pageOf<Row>(answer: Promise<Answer<Row>>): Promise<Page<Row>> {
  const { items, total } = await answer
  return { rows: items, total }
}

/** Rows that are known already, all on one page. */
export function sourceOf<Row>(rows: readonly Row[]): TableSource<Row> {
  return { data: { rows, total: rows.length }, error: null, isFetching: false, refetch: () => undefined }
}
