import type { QueryResult } from 'kysely'
import type { QueryAnswer } from './sqlite/connection.ts'

/** An answer as Kysely hands it on. */
export function toResult<R>({ columns, rows, changes, insertId }: QueryAnswer): QueryResult<R> {
  if (columns.length === 0) return { rows: [], numAffectedRows: changes, insertId }
  return { rows: rows.map((row) => toRow<R>(columns, row)), numAffectedRows: changes }
}

/** What a query returns is known to Kysely's types alone; this is where a row takes them. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- see above
function toRow<R>(columns: readonly string[], values: readonly unknown[]): R {
  const row: Record<string, unknown> = {}
  for (const [index, name] of columns.entries()) row[name] = values[index]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return row as R
}
