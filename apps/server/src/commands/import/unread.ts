import { otherTables } from '@tollgate/importer/shape'
import type { ImportContext } from './import-context.ts'

/** Counts rows of tables that belong to newer forks or to other programs; they are not imported. */
export async function noteUnread({ source, report }: ImportContext): Promise<void> {
  for (const table of otherTables(source)) {
    const count = await source.count(table)
    if (count > 0) report.unread.set(table, count)
  }
}
