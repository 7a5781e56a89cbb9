import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../schema.ts'

/**
 * `large` and `no-room`: the file was left as it is, and may keep former contents in its unused parts. `busy`: another
 * program reads the file, so that its log could not be emptied.
 */
export type ScrubOutcome = 'scrubbed' | 'large' | 'no-room' | 'busy'

/** The new file is put together in memory, beside everything else that a start needs. */
const BYTES_MAX = 256 * 1024 * 1024
const SPARE_BYTES = 64 * 1024 * 1024

/**
 * Writes the database anew, without the parts that nothing uses any more, and empties its log: what was deleted or
 * overwritten before is in neither then. A file that is too large, or for which there is no room, is left alone.
 */
export async function scrubFile(db: Kysely<Database>, path: string): Promise<ScrubOutcome> {
  const outcome = path === '' || path === ':memory:' ? 'scrubbed' : await feasibility(path)
  if (outcome === 'scrubbed') await sql.raw('vacuum').execute(db)
  const { rows } = await sql.raw<{ busy: number }>('pragma wal_checkpoint(truncate)').execute(db)
  return rows[0]?.busy === 1 ? 'busy' : outcome
}

async function feasibility(path: string): Promise<ScrubOutcome> {
  const { size } = statSync(path)
  if (size > BYTES_MAX) return 'large'
  const { bavail, bsize } = await statfs(dirname(path))
  return bavail * bsize < 2 * size + SPARE_BYTES ? 'no-room' : 'scrubbed'
}
