import { otherTables } from '@tollgate/importer/shape'
import type { ImportContext } from './import-context.ts'

/** Tables of newer relatives or of other programs: only counted. */
export async function noteUnread({ source, report }: ImportContext): Promise<void> {
  for (const table of otherTables(source)) {
    const count = await source.count(table)
    if (count > 0) report.unread.set(table, count)
  }
}
