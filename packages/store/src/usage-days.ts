import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { type SumChange, applyChanges, changesTo } from './usage-changes.ts'
import { DAYS_OF, DAY_SECONDS, readDay } from './usage-folds.ts'
import type { Turn } from './usage-turns.ts'
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
  readonly turn: Turn
  /** Hours before are summed. */
  readonly through: number
  /** No day is begun any more once this is true. */
  readonly isStopped?: (() => boolean) | undefined
}

export async function sumDueDays(db: Kysely<Database>, { turn, through, isStopped }: DueDays): Promise<void> {
  const due = floorDay(through)
  for (let position = await usageDaysThrough(db); position < due;) {
    if (isStopped?.()) return
    const next = await nextDay(db, position)
    const dayAt = next !== undefined && next < due ? next : undefined
    const changes = dayAt === undefined ? [] : await changesOfDay(db, dayAt)
    const summed = dayAt === undefined ? due : dayAt + DAY_SECONDS
    await applyChanges(turn, {
      changes,
      finish: (transaction) => writeWatermark(transaction, { name: THROUGH, position: summed }),
    })
    position = summed
  }
}

/** After an hour was summed: its day follows, if it had been summed. */
export async function sumDayOfHour(db: Kysely<Database>, turn: Turn, hourAt: number): Promise<void> {
  if (hourAt < (await usageDaysThrough(db)))
    await applyChanges(turn, { changes: await changesOfDay(db, floorDay(hourAt)) })
}

export function floorDay(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS
}

async function changesOfDay(db: Kysely<Database>, dayAt: number): Promise<readonly SumChange[]> {
  const changes: SumChange[] = []
  for (const from of TABLES) {
    const rows = await readDay(db, from, dayAt)
    changes.push(...(await changesTo(db, { table: DAYS_OF[from], at: dayAt, rows })))
  }
  return changes
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
