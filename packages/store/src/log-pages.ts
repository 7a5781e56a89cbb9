import { type Kysely, sql } from 'kysely'
import type { LogFilter } from './logs.ts'
import type { Database } from './schema.ts'
import { floorHour, usageThrough } from './usage-roll-up.ts'

/** Shortcuts to a page of a long log: what a filter means in ids, which the log is ordered by. */

/** A name that many had is looked for by itself. */
const USERS_MAX = 20

/** The same filter, with ids that narrow it to where its rows are. */
export async function narrowed(
  db: Kysely<Database>,
  filter: LogFilter,
  knownUsers: Kysely<Database> = db,
): Promise<LogFilter> {
  const [times, users] = await Promise.all([idsOfTimes(db, filter), usersOf(db, filter, knownUsers)])
  const ids = users?.length === 0 ? await idsOfNobody(db, times) : times
  return { ...withIds(filter, users), ...(ids && { ids }) }
}

/** The same filter with the ids of who had the name it asks for: by ids rows are found, names only compare. */
export async function withUserIds(
  db: Kysely<Database>,
  filter: LogFilter,
  knownUsers: Kysely<Database> = db,
): Promise<LogFilter> {
  return withIds(filter, await usersOf(db, filter, knownUsers))
}

function withIds(filter: LogFilter, userIds: readonly number[] = []): LogFilter {
  return userIds.length > 0 && userIds.length <= USERS_MAX ? { ...filter, userIds } : filter
}

/** `undefined` when no name is asked for. */
async function usersOf(db: Kysely<Database>, { username }: LogFilter, knownUsers: Kysely<Database>) {
  return username === undefined ? undefined : usersNamed(db, username, knownUsers)
}

/** A name that no summed hour knows can only be in rows that are not summed yet. */
async function idsOfNobody(db: Kysely<Database>, times: LogFilter['ids']): Promise<LogFilter['ids']> {
  const through = await usageThrough(db)
  if (through === 0) return times
  const first = await firstIdSince(db, through)
  if (first === undefined) return { last: 0 }
  return { ...times, first: Math.max(first, times?.first ?? 0) }
}

/** Rows are written when a call ends, so that ids follow times only roughly; each summed hour knows its own. */
async function idsOfTimes(db: Kysely<Database>, { from, until }: LogFilter): Promise<LogFilter['ids']> {
  if (from === undefined && until === undefined) return undefined
  const through = await usageThrough(db)
  if (through === 0) return undefined
  const isOpen = until === undefined || until >= through
  let hours = db
    .selectFrom('log_hours')
    .select((select) => [select.fn.min('first_id').as('first'), select.fn.max('last_id').as('last')])
  if (from !== undefined) hours = hours.where('hour_at', '>=', floorHour(from))
  if (until !== undefined) hours = hours.where('hour_at', '<=', until)
  const [known, newest] = await Promise.all([
    hours.executeTakeFirst(),
    isOpen ? firstIdSince(db, through) : undefined,
  ])
  const firsts = [known?.first, newest].filter((id) => typeof id === 'number')
  if (isOpen) return firsts.length > 0 && from !== undefined ? { first: Math.min(...firsts) } : undefined
  return firsts.length > 0 ? { first: Math.min(...firsts), last: Number(known?.last) } : { last: 0 }
}

async function firstIdSince(db: Kysely<Database>, seconds: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('logs')
    // Without the sum, engines walk up all ids until the first one of that time.
    .select(sql<number | null>`min(logs.id + 0)`.as('first'))
    .where('created_at', '>=', seconds)
    .executeTakeFirst()
  return row?.first === null || row?.first === undefined ? undefined : row.first
}

/** Everybody who was called so when they were logged, or is now. */
async function usersNamed(
  db: Kysely<Database>,
  username: string,
  knownUsers: Kysely<Database>,
): Promise<readonly number[]> {
  const [logged, now] = await Promise.all([
    db.selectFrom('usage_owners').select('user_id').distinct().where('username', '=', username).execute(),
    knownUsers.selectFrom('users').select('id as user_id').where('username', '=', username).execute(),
  ])
  return [...new Set([...logged, ...now].map(({ user_id: id }) => id))]
}
