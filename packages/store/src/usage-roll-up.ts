import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { applyChanges, changesTo } from './usage-changes.ts'
import { sumDaysOfHour, sumDueDays } from './usage-days.ts'
import { HOUR_SECONDS, narrowTo, readHour } from './usage-folds.ts'
import { changesToGroups, groupsMark, sumDueGroups } from './usage-groups.ts'
import { type RollupLock, RollupLockLost, takeRollupLock } from './rollup-lock.ts'
import { readWatermark, writeWatermark } from './watermarks.ts'

/**
 * Sums the usage log by the hour, and what has few columns by the day too. An hour is always summed as a whole, outside
 * of any transaction, and what differs from what was there is replaced in slices, so that each row counts once however often
 * this is begun, cut off or done by two, and calls never wait long. Sums are read once the last slice of their hour is in. Rows
 * that reach an hour after it was summed, and rows that a late settlement changes, are found by what is new since the runs
 * before, and their hours are summed again.
 */

/** Calls are noted when they end: most of an hour's rows are there this long after it. */
const SETTLED_AFTER_SECONDS = 600

/** Hours before are summed. */
const THROUGH = 'usage-through'
/** Hours before have lost rows to cleaning; their sums are what is left, and stay. */
const FROZEN = 'usage-frozen'
/** Ids that had been given out a run ago: what comes above them is looked at, twice, for a row of an older hour. */
const LOG_MARKS = { seen: 'usage-logs-seen', next: 'usage-logs-next' }
const ENTRY_MARKS = { seen: 'usage-entries-seen', next: 'usage-entries-next' }

export interface RollUpInput {
  readonly nowSeconds: number
  /** No hour is begun any more once this is true. */
  readonly isStopped?: () => boolean
}

/** Returns how many hours were summed. Ends early when another process has begun to sum. */
export async function rollUpUsage(db: Kysely<Database>, input: RollUpInput): Promise<number> {
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

async function* sumHours(db: Kysely<Database>, lock: RollupLock, input: RollUpInput) {
  if ((await usageThrough(db)) === 0) await beginHere(db, lock)
  else yield* sumLateHours(db, lock)
  yield* sumDueHours(db, lock, input)
}

/** Up to where sums can be read; from there on the log itself has to be. */
export function usageThrough(db: Kysely<Database>): Promise<number> {
  return readWatermark(db, THROUGH)
}

/** Before this, sums know more than the log. */
export function usageFrozen(db: Kysely<Database>): Promise<number> {
  return readWatermark(db, FROZEN)
}

/** To be called before rows older than `before` are removed: what they were stays in the sums. */
export async function freezeUsage(db: Kysely<Database>, before: number): Promise<void> {
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

async function* sumDueHours(db: Kysely<Database>, lock: RollupLock, { nowSeconds, isStopped }: RollUpInput) {
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

async function nextHour(db: Kysely<Database>, from: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('logs')
    .select('created_at')
    .where('created_at', '>=', from)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row && floorHour(row.created_at)
}

async function beginHere(db: Kysely<Database>, lock: RollupLock): Promise<void> {
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

/** Hours that were summed before all of their rows were there as they are now. Cut off, they are found again. */
async function* sumLateHours(db: Kysely<Database>, lock: RollupLock) {
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
  /** To be written when all of it is summed. */
  readonly marks: readonly Mark[]
}

/** Two runs look at each row, as a transaction may commit after a later one of another process. */
async function newSince(
  db: Kysely<Database>,
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

async function lastId(db: Kysely<Database>, table: 'logs' | 'entry'): Promise<number> {
  const row = await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

function lateRows(db: Kysely<Database>, afterId: number, through: number): Promise<Times> {
  return db
    .selectFrom('logs')
    .select('created_at')
    .distinct()
    .where('id', '>', afterId)
    .where('created_at', '<', through)
    .execute()
}

/** A correction changes the row that its call has already. */
function correctedRows(db: Kysely<Database>, afterId: number): Promise<Times> {
  return db
    .selectFrom('entry')
    .innerJoin('logs', 'logs.request_id', 'entry.request_id')
    .select('logs.created_at')
    .where('entry.id', '>', afterId)
    .where('entry.kind', '=', 'correction')
    .execute()
}

/** What comes into the hour while it is summed is found as late. */
async function sumHour(db: Kysely<Database>, lock: RollupLock, hourAt: number): Promise<void> {
  const { bounds, cells } = await readHour(db, hourAt)
  const changes = [
    ...(await changesTo(db, { table: 'usage_cells', at: hourAt, rows: cells })),
    ...(await changesTo(db, { table: 'usage_routes', at: hourAt, rows: narrowTo('usage_routes', cells) })),
    ...(await changesTo(db, { table: 'usage_owners', at: hourAt, rows: narrowTo('usage_owners', cells) })),
    ...(await changesToGroups(db, { at: hourAt, cells })),
  ]
  await applyChanges(lock, {
    changes,
    // Rows are removed after their hours are frozen: until then, all of them have been read.
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
