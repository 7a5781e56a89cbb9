import type { Page } from './column.ts'

interface Answer<Row> {
  readonly items: readonly Row[]
  readonly total: number
}

/** The rows that a list route answers with. */
export async function pageOf<Row>(answer: Promise<Answer<Row>>): Promise<Page<Row>> {
  const { items, total } = await answer
  return { rows: items, total }
}
