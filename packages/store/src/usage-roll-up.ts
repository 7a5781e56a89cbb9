import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { sumDayOfHour, sumDueDays } from './usage-days.ts'
import { HOUR_SECONDS, fold, foldRows } from './usage-folds.ts'
import { readWatermark, writeWatermark } from './watermarks.ts'

/**
 * Sums the usage log by the hour, and what has few columns by the day too. An hour is always summed as a whole and replaces
 * what was there, so that each row counts once however often this is begun, cut off or done by two. Rows that reach an hour
 * after it was summed, and rows that a late settlement changes, are found by what is new since the runs before, and their
 * hours are summed again.
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

/** Returns how many hours were summed. */
export async function rollUpUsage(db: Kysely<Database>, input: RollUpInput): Promise<number> {
  const isFirst = (await readWatermark(db, THROUGH)) === 0
  if (isFirst) await beginHere(db)
  const late = isFirst ? [] : await lateHours(db)
  for (const hourAt of late) await sumHour(db, hourAt)
  const due = await sumDueHours(db, input)
  await sumDueDays(db, { through: await usageThrough(db), isStopped: input.isStopped })
  return late.length + due
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

async function sumDueHours(db: Kysely<Database>, { nowSeconds, isStopped }: RollUpInput): Promise<number> {
  const due = floorHour(nowSeconds - SETTLED_AFTER_SECONDS)
  let hours = 0
  for (let through = await usageThrough(db); through < due;) {
    if (isStopped?.()) break
    const next = await nextHour(db, through)
    const hourAt = next === undefined || next >= due ? undefined : next
    if (hourAt !== undefined) await sumHour(db, hourAt)
    through = hourAt === undefined ? due : hourAt + HOUR_SECONDS
    await writeWatermark(db, { name: THROUGH, position: through })
    if (hourAt !== undefined) hours++
  }
  return hours
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

async function beginHere(db: Kysely<Database>): Promise<void> {
  for (const [table, { seen, next }] of [
    ['logs', LOG_MARKS],
    ['entry', ENTRY_MARKS],
  ] as const) {
    const position = await lastId(db, table)
    for (const name of [seen, next]) await writeWatermark(db, { name, position })
  }
}

/** Hours that were summed before all of their rows were there as they are now. */
async function lateHours(db: Kysely<Database>): Promise<readonly number[]> {
  const [through, frozen] = [await usageThrough(db), await usageFrozen(db)]
  const times = [
    ...(await newSince(db, 'logs', LOG_MARKS, (id) => lateRows(db, id, through))),
    ...(await newSince(db, 'entry', ENTRY_MARKS, (id) => correctedRows(db, id))),
  ]
  const hours = new Set(times.map(({ created_at: at }) => floorHour(at)))
  return [...hours].filter((hourAt) => hourAt >= frozen && hourAt < through)
}

type Times = readonly { readonly created_at: number }[]

/** Two runs look at each row, as a transaction may commit after a later one of another process. */
async function newSince(
  db: Kysely<Database>,
  table: 'logs' | 'entry',
  { seen, next }: typeof LOG_MARKS,
  read: (afterId: number) => Promise<Times>,
): Promise<Times> {
  const last = await lastId(db, table)
  const times = await read(await readWatermark(db, seen))
  await writeWatermark(db, { name: seen, position: await readWatermark(db, next) })
  await writeWatermark(db, { name: next, position: last })
  return times
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
async function sumHour(db: Kysely<Database>, hourAt: number): Promise<void> {
  const bounds = await boundsOf(db, hourAt)
  await db.transaction().execute(async (transaction) => {
    for (const table of ['log_hours', 'usage_cells', 'usage_routes', 'usage_owners'] as const)
      await transaction.deleteFrom(table).where('hour_at', '=', hourAt).execute()
    if (bounds.calls > 0) {
      await transaction
        .insertInto('log_hours')
        .values({ hour_at: hourAt, ...bounds })
        .execute()
      await foldRows(transaction, hourAt)
      for (const to of ['usage_routes', 'usage_owners'] as const)
        await fold(transaction, { from: 'usage_cells', to, at: hourAt, seconds: HOUR_SECONDS })
    }
    await sumDayOfHour(transaction, hourAt)
  })
}

async function boundsOf(db: Kysely<Database>, hourAt: number) {
  const row = await db
    .selectFrom('logs')
    .select((select) => [
      select.fn.min('id').as('first_id'),
      select.fn.max('id').as('last_id'),
      select.fn.countAll().as('calls'),
    ])
    .where('created_at', '>=', hourAt)
    .where('created_at', '<', hourAt + HOUR_SECONDS)
    .executeTakeFirstOrThrow()
  return { first_id: row.first_id, last_id: row.last_id, calls: Number(row.calls) }
}
