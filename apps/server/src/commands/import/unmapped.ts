import { UNMAPPED_TABLES, otherTables } from '@tollgate/importer/shape'
import type { Passage } from './passage.ts'

/** Tables that have no place here yet: counted, and written whole into the side file. */
export async function passUnmapped({ source, report, progress, writing }: Passage): Promise<void> {
  for (const table of UNMAPPED_TABLES) {
    const count = await source.count(table)
    if (count === 0) continue
    report.unmapped.set(table, count)
    if (!writing) continue
    progress.start(table, count)
    for await (const rows of source.pages(table)) {
      for (const row of rows) await writing.sideFile.add(table, row)
      progress.advance(rows.length)
    }
    progress.end()
  }
  for (const table of otherTables(source)) {
    const count = await source.count(table)
    if (count > 0) report.unread.set(table, count)
  }
}
