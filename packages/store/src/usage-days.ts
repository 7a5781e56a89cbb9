import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { DAYS_OF, DAY_SECONDS, fold } from './usage-folds.ts'
import { readWatermark, writeWatermark } from './watermarks.ts'

/** Whole days of UTC, made of hours that are summed: what the usage of a month by users or channels is read from. */

/** Days before are summed. */
const THROUGH = 'usage-days'
const TABLES = ['usage_routes', 'usage_owners'] as const

/** Up to where days can be read; from there on hours have to be. */
export function usageDaysThrough(db: Kysely<Database>): Promise<number> {
  return readWatermark(db, THROUGH)
}

interface DueDays {
  /** Hours before are summed. */
  readonly through: number
  /** No day is begun any more once this is true. */
  readonly isStopped?: (() => boolean) | undefined
}

export async function sumDueDays(db: Kysely<Database>, { through, isStopped }: DueDays): Promise<void> {
  const due = floorDay(through)
  for (let position = await usageDaysThrough(db); position < due;) {
    if (isStopped?.()) return
    const next = await nextDay(db, position)
    const dayAt = next !== undefined && next < due ? next : undefined
    position = dayAt === undefined ? due : dayAt + DAY_SECONDS
    await db.transaction().execute((transaction) => sumDay(transaction, { dayAt, position }))
  }
}

/** Within the transaction that sums an hour: its day follows, if it had been summed. */
export async function sumDayOfHour(transaction: Kysely<Database>, hourAt: number): Promise<void> {
  await takeTurn(transaction)
  if (hourAt < (await usageDaysThrough(transaction))) await foldDay(transaction, floorDay(hourAt))
}

export function floorDay(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS
}

interface Step {
  /** `undefined` when no day had calls up to `position`. */
  readonly dayAt: number | undefined
  readonly position: number
}

async function sumDay(transaction: Kysely<Database>, { dayAt, position }: Step): Promise<void> {
  await takeTurn(transaction)
  if (dayAt !== undefined) await foldDay(transaction, dayAt)
  await writeWatermark(transaction, { name: THROUGH, position })
}

async function foldDay(transaction: Kysely<Database>, dayAt: number): Promise<void> {
  for (const from of TABLES) {
    await transaction.deleteFrom(DAYS_OF[from]).where('hour_at', '=', dayAt).execute()
    await fold(transaction, { from, to: DAYS_OF[from], at: dayAt, seconds: DAY_SECONDS })
  }
}

/** A day is summed while no other process changes one of its hours. */
async function takeTurn(transaction: Kysely<Database>): Promise<void> {
  await transaction
    .updateTable('watermarks')
    .set((where) => ({ position: where.ref('position') }))
    .where('name', '=', THROUGH)
    .execute()
}

async function nextDay(db: Kysely<Database>, from: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('log_hours')
    .select('hour_at')
    .where('hour_at', '>=', from)
    .orderBy('hour_at')
    .limit(1)
    .executeTakeFirst()
  return row && floorDay(row.hour_at)
}
