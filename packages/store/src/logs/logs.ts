import { sql } from 'kysely'
import { netQuota, ofCalls } from '../usage/net-quota.ts'
import { type LogPlaces, rowSpansForPage } from './places.ts'
import type { Page } from '../database/page.ts'
import type { Db } from '../tables/schema.ts'
import { engineOf } from '../database/traits.ts'
import { type LogFilter, logMatches, withinRanges } from './filter.ts'
import { countUpTo } from '../database/count-found.ts'

/** The wide usage log: lists, sums and removal. The ledger and the services write its rows. */
export type LogRowWithChannel = Awaited<ReturnType<typeof listLogs>>[number]

/** Newest first. The page's ids are found first, and the wide rows are read only for those. */
export function listLogs(db: Db, filter: LogFilter, page: Page) {
  return db
    .selectFrom(idsOfPage(db, filter, page).as('page'))
    .innerJoin('logs', 'logs.id', 'page.page_id')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .selectAll('logs')
    .select('channels.name as channel_name')
    .orderBy('logs.id', 'desc')
    .execute()
}

function idsOfPage(db: Db, filter: LogFilter, { limit, offset }: Page) {
  const { modelNames, places } = filter
  const spots = places && rowSpansForPage(places.spots, { limit, offset }, filter.beforeId)
  if (places && spots)
    return idsAtPlaces(db, filter, { ...places, spots })
      .limit(limit)
      .offset(offset)
  if (!modelNames) return newestIds(db, filter).limit(limit).offset(offset)
  // The index returns the rows of each model name in id order. Rows that are in no sum yet are found by their
  // times.
  const parts = [
    withinRanges(filter, filter.ranges ?? []),
    ...modelNames.map((modelName) => ({ ...filter, modelName, ranges: undefined })),
  ].map((part) =>
    db
      .selectFrom(
        newestIds(db, part)
          .limit(offset + limit)
          .as('part'),
      )
      .select('part.page_id'),
  )
  return db
    .selectFrom(parts.reduce((left, right) => left.union(right)).as('parts'))
    .select('parts.page_id')
    .orderBy('parts.page_id', 'desc')
    .limit(limit)
    .offset(offset)
}

function idsAtPlaces(db: Db, filter: LogFilter, { spots, ranges }: LogPlaces) {
  const parts = [
    withinRanges(filter, ranges),
    ...spots.map(({ userId, firstId, lastId }) => ({
      ...filter,
      userId,
      ids: { first: firstId, last: lastId },
    })),
  ].map((part) => sql`select id as page_id from logs where ${logMatches(part, engineOf(db))}`)
  return db
    .selectFrom(sql<{ page_id: number }>`(${sql.join(parts, sql` union `)})`.as('parts'))
    .select('parts.page_id')
    .orderBy('parts.page_id', 'desc')
}

function newestIds(db: Db, filter: LogFilter) {
  // The `+ 0` makes the engine sort the ids that it found. Without it, engines walk down the index of all
  // ids.
  const id = filter.isBrief ? sql`logs.id + 0` : sql.ref('logs.id')
  return db
    .selectFrom('logs')
    .select('logs.id as page_id')
    .where(logMatches(filter, engineOf(db)))
    .orderBy(id, 'desc')
}

/** Channel names for log rows that are stored in another database. */
export async function channelNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Number of matching rows. Counting stops at `atMost`, so that a long log does not slow down every page. */
export function countLogs(db: Db, filter: LogFilter, atMost: number): Promise<number> {
  const matching = db
    .selectFrom('logs')
    .select('logs.id')
    .where(logMatches(filter, engineOf(db)))
  return countUpTo(db, matching, atMost)
}

export interface LogSums {
  /** Charges less refunds. */
  readonly quota: bigint
  readonly promptTokens: number
  readonly completionTokens: number
  /** Number of rows. */
  readonly count: number
  /** Number of rows that are not refunds. */
  readonly calls: number
}

/** Engines return sums as different types. */
type Sum = bigint | number | string

/** Reads every matching row; `usage/sums.ts` reads stored sums where it can. */
export async function sumLogRows(db: Db, filter: LogFilter): Promise<LogSums> {
  const row = await db
    .selectFrom('logs')
    .select([
      sql<Sum>`coalesce(sum(${netQuota}), 0)`.as('quota'),
      sql<Sum>`coalesce(sum(${ofCalls(sql.ref('prompt_tokens'))}), 0)`.as('prompt'),
      sql<Sum>`coalesce(sum(${ofCalls(sql.ref('completion_tokens'))}), 0)`.as('completion'),
      sql<Sum>`count(*)`.as('rows'),
      sql<Sum>`coalesce(sum(${ofCalls(sql.lit(1))}), 0)`.as('calls'),
    ])
    .where(logMatches(filter, engineOf(db)))
    .executeTakeFirstOrThrow()
  return {
    quota: BigInt(row.quota),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    count: Number(row.rows),
    calls: Number(row.calls),
  }
}

/**
 * Deletes the oldest rows before a time, at most `limit`, and returns how many. Repeat until fewer than
 * `limit` were deleted.
 */
export async function removeLogsBefore(db: Db, input: { before: number; limit: number }): Promise<number> {
  const ids = db
    .selectFrom('logs')
    .select('id')
    .where('created_at', '<', input.before)
    .orderBy('id')
    .limit(input.limit)
  const rows = await ids.execute()
  const last = rows.at(-1)
  if (!last) return 0
  const result = await db
    .deleteFrom('logs')
    .where('created_at', '<', input.before)
    .where('id', '<=', last.id)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
