import type { QueryResult } from 'kysely'
import type { QueryAnswer } from '../sqlite/connection.ts'

/** Converts the answer of a connection into Kysely's result. */
export function toResult<R>({ columns, rows, changes, insertId }: QueryAnswer): QueryResult<R> {
  if (columns.length === 0) return { rows: [], numAffectedRows: changes, insertId }
  return { rows: rows.map((row) => toRow<R>(columns, row)), numAffectedRows: changes }
}

/** Only Kysely's types know what a query returns, so the cast to the row type is made here. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- see above
function toRow<R>(columns: readonly string[], values: readonly unknown[]): R {
  const row: Record<string, unknown> = {}
  for (const [index, name] of columns.entries()) row[name] = values[index]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return row as R
}
