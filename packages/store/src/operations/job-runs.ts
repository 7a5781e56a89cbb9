import { insertUnlessKnown } from '../database/insert-unless-known.ts'
import type { JobRunTable } from '../tables/operations.ts'
import type { Db } from '../tables/schema.ts'

/** A run that has not reported for this long is considered dead, together with its process. */
export const JOB_SILENT_MS = 60_000

export function listJobRuns(db: Db): Promise<JobRunTable[]> {
  return db.selectFrom('job_runs').selectAll().orderBy('name').execute()
}

/** Requests a run now. Returns false when a run is in progress or already requested. */
export async function requestJob(db: Db, { name, nowMs }: { name: string; nowMs: number }): Promise<boolean> {
  const asked = { state: 'asked', asked_ms: nowMs, beat_ms: nowMs } as const
  if (await insertRun(db, { ...noRun, name, ...asked })) return true
  const { numUpdatedRows } = await db
    .updateTable('job_runs')
    .set(asked)
    .where('name', '=', name)
    .where((row) => row.or([row('state', '=', 'idle'), row('beat_ms', '<=', nowMs - JOB_SILENT_MS)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function listRequestedJobs(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('job_runs').select('name').where('state', '=', 'asked').execute()
  return rows.map(({ name }) => name)
}

/** Keeps the outcome of the previous run until this one ends. */
export async function startJobRun(db: Db, { name, nowMs }: { name: string; nowMs: number }): Promise<void> {
  await writeJobRun(db, name, { state: 'running', started_ms: nowMs, beat_ms: nowMs, done: 0, total: 0 })
}

export async function noteJobProgress(
  db: Db,
  progress: { name: string; nowMs: number; done: number; total: number },
): Promise<void> {
  const { name, nowMs, done, total } = progress
  await writeJobRun(db, name, { beat_ms: nowMs, done, total })
}

export async function endJobRun(
  db: Db,
  run: Pick<JobRunTable, 'name' | 'started_ms' | 'ended_ms' | 'next_ms' | 'outcome' | 'figures'> &
    Partial<Pick<JobRunTable, 'reason'>>,
): Promise<void> {
  const { name, reason = null, ...ended } = run
  await writeJobRun(db, name, { state: 'idle', beat_ms: run.ended_ms, reason, ...ended })
}

const noRun = {
  state: 'idle',
  asked_ms: 0,
  started_ms: 0,
  beat_ms: 0,
  ended_ms: 0,
  next_ms: 0,
  outcome: '',
  figures: '',
  reason: null,
  done: 0,
  total: 0,
} as const

async function writeJobRun(db: Db, name: string, change: Partial<Omit<JobRunTable, 'name'>>): Promise<void> {
  if (await insertRun(db, { ...noRun, ...change, name })) return
  await db.updateTable('job_runs').set(change).where('name', '=', name).execute()
}

/** The table has few rows and keeps them, so a read first avoids most inserts that would be rejected. */
async function insertRun(db: Db, row: JobRunTable): Promise<boolean> {
  const known = await db.selectFrom('job_runs').select('name').where('name', '=', row.name).executeTakeFirst()
  return known === undefined && insertUnlessKnown(db, db.insertInto('job_runs').values(row), ['name'])
}
