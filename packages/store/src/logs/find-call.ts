import { LOG_TYPE } from '@tollgate/kit/codes'
import { type Selectable, sql } from 'kysely'
import { containsPattern } from '../database/traits.ts'
import type { LogTable } from '../tables/logs.ts'
import type { Db } from '../tables/schema.ts'

export type CallRow = Selectable<LogTable>

export interface CallSearch {
  readonly userId: number
  /** Ids of which one is that of the call. */
  readonly ids: readonly string[]
}

/** The id of an answer has no index: it is searched in this many of the user's newest rows, newest first. */
const NEWEST_ROWS = 5_000

/** A call of the user by the id of its request; `undefined` for a call of somebody else too. */
export function findCallOfRequest(db: Db, { userId, ids }: CallSearch): Promise<CallRow | undefined> {
  return db
    .selectFrom('logs')
    .selectAll()
    .where('request_id', 'in', ids)
    .where('user_id', '=', userId)
    .where('type', 'in', CALLS)
    .executeTakeFirst()
}

const CALLS: readonly number[] = [LOG_TYPE.consumption, LOG_TYPE.error]

/**
 * The same by the id of its answer. Reads from the newest row on, so that a call that just ended is found at once.
 */
export function findCallOfAnswer(db: Db, { userId, ids }: CallSearch): Promise<CallRow | undefined> {
  const oldest = db
    .selectFrom('logs')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(NEWEST_ROWS - 1)
  return db
    .selectFrom('logs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '>=', (where) => where.fn.coalesce(oldest, sql<number>`0`))
    .where('type', '=', LOG_TYPE.consumption)
    .where((where) => where.or(ids.map((id) => hasAnswerId(id))))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Matches the member as `JSON.stringify` writes it. */
function hasAnswerId(id: string) {
  const member = `"answer_id":${JSON.stringify(id)}`
  return sql<boolean>`other like ${containsPattern(member)} escape '!'`
}
