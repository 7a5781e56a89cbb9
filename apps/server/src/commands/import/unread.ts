import { otherTables } from '@tollgate/importer/shape'
import type { Passage } from './passage.ts'

/** Tables of newer relatives or of other programs: only counted. */
export async function noteUnread({ source, report }: Passage): Promise<void> {
  for (const table of otherTables(source)) {
    const count = await source.count(table)
    if (count > 0) report.unread.set(table, count)
  }
}
