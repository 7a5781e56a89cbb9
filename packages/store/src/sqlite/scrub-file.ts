import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../tables/schema.ts'

/**
 * Result of a scrub. With `large` and `no-room` the file was left as it is and may keep old contents in its
 * unused parts. `busy`: another program is reading the file, so its log could not be emptied.
 */
export type ScrubOutcome = 'scrubbed' | 'large' | 'no-room' | 'busy'

/** SQLite builds the new file in memory, in addition to everything else that a start needs. */
const BYTES_MAX = 256 * 1024 * 1024
const SPARE_BYTES = 64 * 1024 * 1024

/**
 * Rewrites the database without its unused pages and empties its log, so that neither contains data that was
 * deleted or overwritten before. A file that is too large, or for which there is not enough disk space, is
 * left alone.
 */
export async function scrubFile(db: Db, path: string): Promise<ScrubOutcome> {
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
