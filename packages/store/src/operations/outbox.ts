import type { OutboxTable } from '../tables/delivery.ts'
import { insertUnlessKnown } from '../database/insert-unless-known.ts'
import type { Db } from '../tables/schema.ts'

/**
 * Work that survives a restart. It is queued in the transaction that causes it, and one worker at a time
 * takes it.
 */
export type OutboxRow = Pick<OutboxTable, 'cause' | 'kind' | 'payload' | 'attempts'> & { readonly id: number }

export interface NewWork {
  readonly cause: string
  readonly kind: string
  readonly payload: string
  readonly dueMs: number
  readonly nowMs: number
}

/** Returns false and queues nothing when the cause is already known. */
export function insertWork(db: Db, work: NewWork): Promise<boolean> {
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
  return insertUnlessKnown(db, insert, ['cause'])
}

/** Work that is due, oldest first. */
export function listDueWork(db: Db, until: WorkUntil): Promise<OutboxRow[]> {
  return listWork(db, 'pending', until)
}

/** Work whose worker did not finish in time. */
export function listAbandonedWork(db: Db, until: WorkUntil): Promise<OutboxRow[]> {
  return listWork(db, 'taken', until)
}

/** Work that is queued or being delivered. */
export async function countWaitingWork(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('outbox')
    .select((row) => row.fn.countAll().as('count'))
    .where('state', 'in', ['pending', 'taken'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface WorkUntil {
  readonly nowMs: number
  readonly limit: number
}

function listWork(db: Db, state: OutboxTable['state'], { nowMs, limit }: WorkUntil): Promise<OutboxRow[]> {
  return db
    .selectFrom('outbox')
    .select(['id', 'cause', 'kind', 'payload', 'attempts'])
    .where('state', '=', state)
    .where('due_ms', '<=', nowMs)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns false when another worker has taken it. */
export async function takeWork(
  db: Db,
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

interface TakenWork {
  readonly id: number
  readonly attempts: number
  readonly reason: string
}

/** Marks work as done, or as failed for good, and deletes its payload. */
export function endWork(
  db: Db,
  { state, ...work }: TakenWork & { readonly state: 'done' | 'failed' },
): Promise<void> {
  return leaveWork(db, work, { state, payload: '' })
}

/**
 * Marks work as done in the transaction that does it, so that it is done once although the worker and others
 * may try at the same time. Returns false when it was done before.
 */
export async function claimWork(transaction: Db, cause: string): Promise<boolean> {
  const result = await transaction
    .updateTable('outbox')
    .set({ state: 'done', payload: '', reason: '' })
    .where('cause', '=', cause)
    .where('state', 'in', ['pending', 'taken'])
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Puts work back into the queue for a later attempt. */
export function postponeWork(
  db: Db,
  { dueMs, ...work }: TakenWork & { readonly dueMs: number },
): Promise<void> {
  return leaveWork(db, work, { state: 'pending', due_ms: dueMs })
}

async function leaveWork(
  db: Db,
  { id, attempts, reason }: TakenWork,
  change: Partial<Pick<OutboxTable, 'state' | 'payload' | 'due_ms'>>,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ ...change, reason })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'taken')
    .execute()
}

/**
 * Removes rows of finished work that are older than `beforeMs`. Until then they prevent the same cause from
 * being processed again. Rows about low balances stay, because a balance may stay low for longer.
 */
export async function removeEndedWork(db: Db, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where('state', 'in', ['done', 'failed'])
    .where('created_ms', '<', beforeMs)
    .where('cause', 'not like', 'low-balance:%')
    .execute()
}
