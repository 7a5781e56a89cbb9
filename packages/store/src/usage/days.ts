import { sql } from 'kysely'
import type { Db } from '../tables/schema.ts'
import { type SumChange, applyChanges, changesTo } from './changes.ts'
import { DAY_SECONDS, type DayTable, readDay } from './aggregation.ts'
import { nextHour, usageGroupsThrough } from './groups.ts'
import type { RollupLock } from './rollup-lock.ts'
import { readWatermark, writeWatermark } from '../operations/watermarks.ts'

/**
 * Sums of whole UTC days, made from the hourly sums. Usage of a month by user or channel is read from them.
 */

interface Days {
  /** Name of the watermark; days before its position are summed. */
  readonly mark: string
  readonly tables: readonly DayTable[]
  /** The tables have so many rows per day that a day is summed for a few users at a time. */
  readonly isByUsers: boolean
}

/**
 * When a day is summed again, PAIRS comes before NARROW: PAIRS uses `usage_owner_days` to find all users
 * whose old sums may have to be removed.
 */
const PAIRS: Days = {
  mark: 'usage-pair-days',
  tables: ['usage_owner_model_days', 'usage_owner_group_days', 'usage_owner_channel_days'],
  isByUsers: true,
}
const NARROW: Days = {
  mark: 'usage-days',
  tables: ['usage_route_days', 'usage_owner_days'],
  isByUsers: false,
}

/** Time up to which the daily sums are complete; from there on the hourly sums have to be read. */
export function usageDaysThrough(db: Db, table: DayTable): Promise<number> {
  return readWatermark(db, (PAIRS.tables.includes(table) ? PAIRS : NARROW).mark)
}

interface DueDays {
  readonly lock: RollupLock
  /** Hours before this time are summed. */
  readonly through: number
  /** Once this returns true, no further day is started. */
  readonly isStopped?: (() => boolean) | undefined
}

export async function sumDueDays(db: Db, due: DueDays): Promise<void> {
  await sumDue(db, NARROW, due)
  await sumDue(db, PAIRS, { ...due, through: Math.min(due.through, await usageGroupsThrough(db)) })
}

async function sumDue(db: Db, days: Days, { lock, through, isStopped }: DueDays): Promise<void> {
  const due = floorDay(through)
  for (let position = await readWatermark(db, days.mark); position < due;) {
    if (isStopped?.()) return
    const hourAt = await nextHour(db, position)
    const dayAt = hourAt !== undefined && hourAt < due ? floorDay(hourAt) : undefined
    if (dayAt !== undefined) await sumDay(db, { lock, days, dayAt })
    position = dayAt === undefined ? due : dayAt + DAY_SECONDS
    await moveTo(lock, { name: days.mark, position })
  }
}

function moveTo(lock: RollupLock, mark: Parameters<typeof writeWatermark>[1]): Promise<void> {
  return lock.run((transaction) => writeWatermark(transaction, mark))
}

/** Updates the daily sums after one of their hours was summed again, for days that are already summed. */
export async function sumDaysOfHour(db: Db, lock: RollupLock, hourAt: number): Promise<void> {
  for (const days of [PAIRS, NARROW])
    if (hourAt < (await readWatermark(db, days.mark)))
      await sumDay(db, { lock, days, dayAt: floorDay(hourAt) })
}

export function floorDay(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS
}

interface DayInput {
  readonly lock: RollupLock
  readonly days: Days
  readonly dayAt: number
}

async function sumDay(db: Db, { lock, days, dayAt }: DayInput): Promise<void> {
  const slices = days.isByUsers ? await usersOf(db, dayAt) : [undefined]
  for (const userIds of slices) {
    const changes: SumChange[] = []
    for (const table of days.tables) {
      const rows = await readDay(db, table, { at: dayAt, userIds })
      changes.push(...(await changesTo(db, { table, at: dayAt, userIds, rows })))
    }
    if (changes.length > 0) await applyChanges(lock, { changes })
  }
}

/** A slice with this many calls has at most as many rows, which are compared at once. */
const CALLS_AT_ONCE = 4000
const USERS_AT_ONCE = 200

/** Slices of the users who had calls on a day or have old sums for it. */
async function usersOf(db: Db, dayAt: number): Promise<readonly (readonly number[])[]> {
  const { rows } = await sql<{ user_id: number; calls: number | string }>`
    select user_id, sum(calls) as calls from (
      select user_id, calls from usage_owners where hour_at >= ${dayAt} and hour_at < ${dayAt + DAY_SECONDS}
      union all select user_id, 0 as calls from usage_owner_days where hour_at = ${dayAt}) as owners
    group by user_id order by user_id`.execute(db)
  const slices: number[][] = []
  let calls = Infinity
  for (const row of rows) {
    const slice = slices.at(-1)
    calls += Number(row.calls)
    if (slice && calls <= CALLS_AT_ONCE && slice.length < USERS_AT_ONCE) {
      slice.push(row.user_id)
      continue
    }
    slices.push([row.user_id])
    calls = Number(row.calls)
  }
  return slices
}
