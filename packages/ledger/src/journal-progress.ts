import type { Database } from '@tollgate/store/tables/schema'
import type { Kysely } from 'kysely'
import { listJournals } from './journal/journal-folder.ts'
import { readPositions } from './journal-positions.ts'

/** How far a file of the journal is in the database. */
export interface JournalProgress {
  readonly path: string
  /** Bytes that were written, and those of them that are in the database. */
  readonly end: number
  readonly position: number
  /** Calls were in flight when the file was last folded, and no file follows. */
  readonly hasOpenCalls: boolean
}

/** The journal files of this database in a folder, which may be absent. Reads only. */
export async function journalProgress(
  db: Kysely<Database>,
  folder: string,
): Promise<readonly JournalProgress[]> {
  const identity = await db.selectFrom('database_identity').select('id').orderBy('id').executeTakeFirst()
  if (identity === undefined) return []
  const files = listJournals(folder, identity.id).filter(({ problem }) => problem === undefined)
  const positions = new Map((await readPositions(db)).map((each) => [each.fileId, each]))
  return files.map(({ path, fileId, end, isLast }) => {
    const { position = 0, openFrom = 0 } = positions.get(fileId) ?? {}
    return { path, end, position, hasOpenCalls: isLast && openFrom < end }
  })
}
