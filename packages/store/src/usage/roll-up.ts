import type { Db } from '../tables/schema.ts'
import { applyChanges, changesTo } from './changes.ts'
import { sumDaysOfHour, sumDueDays } from './days.ts'
import { HOUR_SECONDS, narrowTo, readHour } from './aggregation.ts'
import { changesToGroups, groupsMark, sumDueGroups } from './groups.ts'
import { type RollupLock, RollupLockLost, takeRollupLock } from './rollup-lock.ts'
import { readWatermark, writeWatermark } from '../operations/watermarks.ts'

/**
 * Sums the usage log by the hour and, for the tables with few columns, also by the day. An hour is always
 * read as a whole, outside of any transaction, and the differences to the stored sums are written in slices.
 * Each row therefore counts once, even when a run is repeated, interrupted, or done by two processes at once,
 * and calls never wait long. Sums become readable when the last slice of their hour is written. Rows that
 * arrive after their hour was summed, and rows changed by a late settlement, are found by ids that are new
 * since earlier runs; their hours are summed again.
 */

/** A row is written when its call ends. Most rows of an hour exist this long after it. */
const SETTLED_AFTER_SECONDS = 600

/** Hours before this watermark are summed. */
const THROUGH = 'usage-through'
/**
 * Hours before this watermark have lost rows to cleanup; their sums are the only record and stay unchanged.
 */
const FROZEN = 'usage-frozen'
/**
 * The largest ids at earlier runs. Rows with larger ids are checked, in two runs each, for ones that belong
 * to an hour already summed.
 */
const LOG_MARKS = { seen: 'usage-logs-seen', next: 'usage-logs-next' }
const ENTRY_MARKS = { seen: 'usage-entries-seen', next: 'usage-entries-next' }

export interface RollUpInput {
  readonly nowSeconds: number
  /** Once this returns true, no further hour is started. */
  readonly isStopped?: () => boolean
}

/** Returns how many hours were summed. Ends early when another process has started to sum. */
export async function rollUpUsage(db: Db, input: RollUpInput): Promise<number> {
  const lock = await takeRollupLock(db)
  let hours = 0
  try {
    for await (const hourAt of sumHours(db, lock, input)) if (hourAt !== undefined) hours++
    const due = { lock, through: await usageThrough(db), isStopped: input.isStopped }
    await sumDueGroups(db, due)
    await sumDueDays(db, due)
  } catch (error) {
    if (!(error instanceof RollupLockLost)) throw error
  }
  return hours
}

async function* sumHours(db: Db, lock: RollupLock, input: RollUpInput) {
  if ((await usageThrough(db)) === 0) await beginHere(db, lock)
  else yield* sumLateHours(db, lock)
  yield* sumDueHours(db, lock, input)
}

/** Time up to which sums can be read; from there on the log has to be read. */
export function usageThrough(db: Db): Promise<number> {
  return readWatermark(db, THROUGH)
}

/** Before this time the sums include rows that the log no longer has. */
export function usageFrozen(db: Db): Promise<number> {
  return readWatermark(db, FROZEN)
}

/** Call it before rows older than `before` are removed, so that they stay counted in the sums. */
export async function freezeUsage(db: Db, before: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const position = Math.min(ceilHour(before), await readWatermark(transaction, THROUGH))
    if (position > (await readWatermark(transaction, FROZEN)))
      await writeWatermark(transaction, { name: FROZEN, position })
  })
}

export function floorHour(seconds: number): number {
  return Math.floor(seconds / HOUR_SECONDS) * HOUR_SECONDS
}

export function ceilHour(seconds: number): number {
  return Math.ceil(seconds / HOUR_SECONDS) * HOUR_SECONDS
}

async function* sumDueHours(db: Db, lock: RollupLock, { nowSeconds, isStopped }: RollUpInput) {
  const due = floorHour(nowSeconds - SETTLED_AFTER_SECONDS)
  for (let through = await usageThrough(db); through < due;) {
    if (isStopped?.()) return
    const next = await nextHour(db, through)
    const hourAt = next === undefined || next >= due ? undefined : next
    if (hourAt !== undefined) await sumHour(db, lock, hourAt)
    const position = hourAt === undefined ? due : hourAt + HOUR_SECONDS
    await moveTo(lock, [{ name: THROUGH, position }, ...(await groupsMark(db, { from: through, position }))])
    through = position
    yield hourAt
  }
}

type Mark = Parameters<typeof writeWatermark>[1]

function moveTo(lock: RollupLock, marks: readonly Mark[]): Promise<void> {
  return lock.run(async (transaction) => {
    for (const mark of marks) await writeWatermark(transaction, mark)
  })
}

async function nextHour(db: Db, from: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('logs')
    .select('created_at')
    .where('created_at', '>=', from)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row && floorHour(row.created_at)
}

async function beginHere(db: Db, lock: RollupLock): Promise<void> {
  const marks: Mark[] = []
  for (const [table, { seen, next }] of [
    ['logs', LOG_MARKS],
    ['entry', ENTRY_MARKS],
  ] as const) {
    const position = await lastId(db, table)
    marks.push({ name: seen, position }, { name: next, position })
  }
  await moveTo(lock, marks)
}

/**
 * Sums hours again whose rows arrived or changed after they were summed. If interrupted, the next run finds
 * them again.
 */
async function* sumLateHours(db: Db, lock: RollupLock) {
  const [through, frozen] = [await usageThrough(db), await usageFrozen(db)]
  const rows = await newSince(db, 'logs', LOG_MARKS, (id) => lateRows(db, id, through))
  const entries = await newSince(db, 'entry', ENTRY_MARKS, (id) => correctedRows(db, id))
  const hours = new Set([...rows.times, ...entries.times].map(({ created_at: at }) => floorHour(at)))
  for (const hourAt of hours) {
    if (hourAt < frozen || hourAt >= through) continue
    await sumHour(db, lock, hourAt)
    yield hourAt
  }
  await moveTo(lock, [...rows.marks, ...entries.marks])
}

type Times = readonly { readonly created_at: number }[]

interface News {
  readonly times: Times
  /** Watermarks to write when all these hours are summed. */
  readonly marks: readonly Mark[]
}

/**
 * Each row is checked in two runs, because a transaction of another process may commit after one with larger
 * ids.
 */
async function newSince(
  db: Db,
  table: 'logs' | 'entry',
  { seen, next }: typeof LOG_MARKS,
  read: (afterId: number) => Promise<Times>,
): Promise<News> {
  const last = await lastId(db, table)
  const times = await read(await readWatermark(db, seen))
  const marks = [
    { name: seen, position: await readWatermark(db, next) },
    { name: next, position: last },
  ]
  return { times, marks }
}

async function lastId(db: Db, table: 'logs' | 'entry'): Promise<number> {
  const row = await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

function lateRows(db: Db, afterId: number, through: number): Promise<Times> {
  return db
    .selectFrom('logs')
    .select('created_at')
    .distinct()
    .where('id', '>', afterId)
    .where('created_at', '<', through)
    .execute()
}

/** A correction changes the existing log row of its call. */
function correctedRows(db: Db, afterId: number): Promise<Times> {
  return db
    .selectFrom('entry')
    .innerJoin('logs', 'logs.request_id', 'entry.request_id')
    .select('logs.created_at')
    .where('entry.id', '>', afterId)
    .where('entry.kind', '=', 'correction')
    .execute()
}

/** Rows that arrive while the hour is being summed are found as late rows by the next run. */
async function sumHour(db: Db, lock: RollupLock, hourAt: number): Promise<void> {
  const { bounds, cells } = await readHour(db, hourAt)
  const changes = [
    ...(await changesTo(db, { table: 'usage_cells', at: hourAt, rows: cells })),
    ...(await changesTo(db, { table: 'usage_routes', at: hourAt, rows: narrowTo('usage_routes', cells) })),
    ...(await changesTo(db, { table: 'usage_owners', at: hourAt, rows: narrowTo('usage_owners', cells) })),
    ...(await changesToGroups(db, { at: hourAt, cells })),
  ]
  await applyChanges(lock, {
    changes,
    // Rows are removed only after their hours were frozen. If the hour is not frozen yet, all its rows were
    // read.
    mayBegin: async (transaction) => hourAt >= (await usageFrozen(transaction)),
    finish: async (transaction) => {
      await transaction.deleteFrom('log_hours').where('hour_at', '=', hourAt).execute()
      if (bounds)
        await transaction
          .insertInto('log_hours')
          .values({ hour_at: hourAt, ...bounds })
          .execute()
    },
  })
  await sumDaysOfHour(db, lock, hourAt)
}
