import type { Page, TableSource } from './column.ts'

export interface ListPage<Row> {
  readonly items: readonly Row[]
  readonly total: number
}

export interface ListAnswer<Row> {
  readonly data: readonly Row[]
  readonly extra: Readonly<Record<string, unknown>>
}

/** The rows that a list route answers with. */
export async function pageOf<Row>(answer: Promise<ListPage<Row>>): Promise<Page<Row>> {
  const { items, total } = await answer
  return { rows: items, total }
}

/** The rows of a route that answers with a bare list and, beside it, with the total. */
export function pageOfList<Row>({ data, extra }: ListAnswer<Row>): Page<Row> {
  return { rows: data, total: typeof extra['total'] === 'number' ? extra['total'] : data.length }
}

/** Rows that are known already, all on one page. */
export function sourceOf<Row>(rows: readonly Row[]): TableSource<Row> {
  return { data: { rows, total: rows.length }, error: null, isFetching: false, refetch: () => undefined }
}
