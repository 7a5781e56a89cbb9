import type { Kysely } from 'kysely'
import type { OutboxTable } from './delivery-tables.ts'
import type { Database } from './schema.ts'
import { engineOf, isUniqueViolation } from './traits.ts'

/** Work that outlives the process: queued with what caused it, taken by one worker at a time. */
export type OutboxRow = Pick<OutboxTable, 'cause' | 'kind' | 'payload' | 'attempts'> & { readonly id: number }

export interface NewWork {
  readonly cause: string
  readonly kind: string
  readonly payload: string
  readonly dueMs: number
  readonly nowMs: number
}

/** False when the cause is known already: then nothing is queued. */
export async function insertWork(db: Kysely<Database>, work: NewWork): Promise<boolean> {
  const insert = db.insertInto('outbox').values({
    cause: work.cause,
    kind: work.kind,
    payload: work.payload,
    state: 'pending',
    attempts: 0,
    due_ms: work.dueMs,
    created_ms: work.nowMs,
    reason: '',
  })
  if (engineOf(db) === 'mysql') return isInserted(insert.execute())
  const unlessKnown = insert.onConflict((conflict) => conflict.column('cause').doNothing())
  return ((await unlessKnown.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** A refused insert leaves the transaction around it as it was, other than in PostgreSQL. */
async function isInserted(insert: Promise<unknown>): Promise<boolean> {
  try {
    await insert
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** What could be taken now, oldest first. */
export function listDueWork(
  db: Kysely<Database>,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<OutboxRow[]> {
  return db
    .selectFrom('outbox')
    .select(['id', 'cause', 'kind', 'payload', 'attempts'])
    .where('state', '=', 'pending')
    .where('due_ms', '<=', nowMs)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** False when somebody else was faster. */
export async function takeWork(
  db: Kysely<Database>,
  work: { id: number; attempts: number; untilMs: number },
): Promise<boolean> {
  const result = await db
    .updateTable('outbox')
    .set({ state: 'taken', attempts: work.attempts + 1, due_ms: work.untilMs })
    .where('id', '=', work.id)
    .where('state', '=', 'pending')
    .where('attempts', '=', work.attempts)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** What was taken by a worker that never came back: its time is over. */
export function listAbandonedWork(
  db: Kysely<Database>,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<OutboxRow[]> {
  return db
    .selectFrom('outbox')
    .select(['id', 'cause', 'kind', 'payload', 'attempts'])
    .where('state', '=', 'taken')
    .where('due_ms', '<=', nowMs)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Done or failed for good; what it was about is forgotten. */
export async function endWork(
  db: Kysely<Database>,
  work: { id: number; attempts: number; state: 'done' | 'failed'; reason: string },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: work.state, reason: work.reason, payload: '' })
    .where('id', '=', work.id)
    .where('attempts', '=', work.attempts)
    .where('state', '=', 'taken')
    .execute()
}

/** To be tried again later. */
export async function postponeWork(
  db: Kysely<Database>,
  work: { id: number; attempts: number; dueMs: number; reason: string },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: 'pending', due_ms: work.dueMs, reason: work.reason })
    .where('id', '=', work.id)
    .where('attempts', '=', work.attempts)
    .where('state', '=', 'taken')
    .execute()
}

/**
 * Rows of work that ended long ago; until then they keep the same cause from being served again. A balance may stay low
 * for longer: such a row stays.
 */
export async function removeEndedWork(db: Kysely<Database>, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where('state', 'in', ['done', 'failed'])
    .where('created_ms', '<', beforeMs)
    .where('cause', 'not like', 'low-balance:%')
    .execute()
}
