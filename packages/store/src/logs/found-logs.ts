import { sql } from 'kysely'
import type { Db } from '../tables/schema.ts'
import { containsPattern, literalPattern } from '../database/traits.ts'

/**
 * Filter for a search among the newest rows, of all users or of one. Every given field narrows it; `type` and
 * `events` are alternatives to `start` and apply only together with it.
 */
export interface LogSearch {
  readonly userId?: number | undefined
  readonly tokenId?: number | undefined
  /**
   * A row matches if it has this type, if its text starts with `start`, or if it has no text and one of the
   * `events`.
   */
  readonly type?: number | undefined
  readonly start?: string | undefined
  readonly events?: readonly string[] | undefined
  /** Only rows with a smaller id, among the same newest rows. */
  readonly beforeId?: number | undefined
}

export type FoundLog = Awaited<ReturnType<typeof findLogs>>[number]

/** A search reads at most this many of the newest rows, so a long log does not slow it down. */
const NEWEST_ROWS = 20_000

/** Newest first. The rows carry channel ids but no channel names. */
export async function findLogs(db: Db, search: LogSearch, limit: number) {
  const { userId, tokenId, type, start, events = [], beforeId } = search
  const newest = db
    .selectFrom('logs')
    .select('id')
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .orderBy('id', 'desc')
    .limit(NEWEST_ROWS)
  const begins = sql<boolean>`logs.content like ${literalPattern(start ?? '') + '%'} escape '!'`
  return db
    .selectFrom(newest.as('newest'))
    .innerJoin('logs', 'logs.id', 'newest.id')
    .selectAll('logs')
    .$if(tokenId !== undefined, (query) => query.where('logs.token_id', '=', tokenId ?? 0))
    .$if(beforeId !== undefined, (query) => query.where('logs.id', '<', beforeId ?? 0))
    .$if(start !== undefined, (query) =>
      query.where((where) =>
        where.or([
          begins,
          ...(type === undefined ? [] : [where('logs.type', '=', type)]),
          ...events.map((event) => where.and([where('logs.content', '=', ''), hasEvent(event)])),
        ]),
      ),
    )
    .orderBy('logs.id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Matches the member as `JSON.stringify` writes it. The same characters inside a string value would have
 * escaped quotes.
 */
function hasEvent(event: string) {
  return sql<boolean>`logs.other like ${containsPattern(`"event":"${event}"`)} escape '!'`
}
