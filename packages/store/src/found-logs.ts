import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'
import { containsPattern, literalPattern } from './traits.ts'

/** What is looked for among the newest rows, of everybody or of one user; each part that is given narrows it. */
export interface LogSearch {
  readonly userId?: number | undefined
  readonly tokenId?: number | undefined
  /** Rows of this type, or whose text begins like this, or that have one of the events instead of a text. */
  readonly type?: number | undefined
  readonly start?: string | undefined
  readonly events?: readonly string[] | undefined
  /** Only rows older than this one, of the same newest rows. */
  readonly beforeId?: number | undefined
}

export type FoundLog = Awaited<ReturnType<typeof findLogs>>[number]

/** So far back a search looks: a long log does not make it slow. */
const NEWEST_ROWS = 20_000

/** The newest first. Where channels have their names is not asked. */
export async function findLogs(db: Kysely<Database>, search: LogSearch, limit: number) {
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

/** As `JSON.stringify` writes the member: within a text the quotes would be escaped. */
function hasEvent(event: string) {
  return sql<boolean>`logs.other like ${containsPattern(`"event":"${event}"`)} escape '!'`
}
