import { insertUnlessKnown } from '../database/insert-unless-known.ts'
import type { Db } from '../tables/schema.ts'

export interface ModelDay {
  /** Days since the epoch, in UTC. */
  readonly day: number
  readonly model: string
  readonly succeeded: number
  readonly failed: number
}

/** Adds what one process counted; several may add to the same day at a time. */
export async function addModelDay(db: Db, counted: ModelDay): Promise<void> {
  if (await increase(db, counted)) return
  const row = { ...counted, succeeded: 0, failed: 0 }
  await insertUnlessKnown(db, db.insertInto('model_days').values(row), ['day', 'model'])
  await increase(db, counted)
}

async function increase(db: Db, { day, model, succeeded, failed }: ModelDay): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('model_days')
    .set((row) => ({ succeeded: row('succeeded', '+', succeeded), failed: row('failed', '+', failed) }))
    .where('day', '=', day)
    .where('model', '=', model)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The models with the most calls since a day. */
export async function busiestModels(db: Db, sinceDay: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('model_days')
    .select(['model', (row) => row.fn.sum('succeeded').as('calls')])
    .where('day', '>=', sinceDay)
    .groupBy('model')
    .orderBy('calls', 'desc')
    .orderBy('model')
    .limit(limit)
    .execute()
  return rows.map(({ model }) => model)
}

export async function listModelDays(
  db: Db,
  { models, sinceDay }: { readonly models: readonly string[]; readonly sinceDay: number },
): Promise<ModelDay[]> {
  if (models.length === 0) return []
  return db
    .selectFrom('model_days')
    .select(['day', 'model', 'succeeded', 'failed'])
    .where('model', 'in', [...models])
    .where('day', '>=', sinceDay)
    .execute()
}

export async function removeModelDays(db: Db, beforeDay: number): Promise<void> {
  await db.deleteFrom('model_days').where('day', '<', beforeDay).execute()
}
