import { sql } from 'kysely'
import { rowSpansOfGroup } from './row-spans.ts'
import { type LogFilter, isPattern, logMatches, withinRanges } from './filter.ts'
import { countLogs } from './logs.ts'
import type { Db } from '../tables/schema.ts'
import { engineOf } from '../database/traits.ts'
import { NAME_CHARACTERS_MAX } from '../usage/aggregation.ts'
import { type UsageKey, type UsageParts, isOwnerKey, partsOf, spanMatches } from '../usage/parts.ts'
import { floorHour, usageThrough } from '../usage/roll-up.ts'

/**
 * Finds a page of a long log faster by turning a filter into ranges of row ids, since the log is ordered by
 * id.
 */

/** A username that more users have had is not turned into user ids. */
const USERS_MAX = 20
/** A pattern that matches more models than this is not expanded; some matching row is always near then. */
const MODELS_MAX = 50
/** Sorting fewer ids than this is faster than reading as many rows. */
const SORTED_MAX = 100_000

/** Returns the same filter, narrowed to the places where its rows are. */
export async function narrowed(db: Db, filter: LogFilter, knownUsers: Db = db): Promise<LogFilter> {
  const known = await withUserIds(db, filter, knownUsers)
  const [ids, parts] = await Promise.all([
    idsOfTimes(db, filter),
    partsOf(db, { ...known, beforeId: undefined }),
  ])
  if (parts.summed.length > 0 && isSelective(filter) && !(await hasSummed(db, known, parts)))
    return withinRanges(known, parts.rows)
  // Without a username, the plain filter is used: the index over token names already returns the rows of a
  // token in id order, so the user ids are not needed.
  const listed = filter.username === undefined ? filter : known
  const spots = await rowSpansOfGroup(db, known, parts)
  if (spots) return { ...known, ids, places: { spots, ranges: parts.rows } }
  const models = parts.summed.length > 0 ? await modelsOf(db, listed, parts) : undefined
  if (models) return { ...listed, ids, modelNames: models, ranges: parts.rows }
  return (await hasFewOfType(db, listed)) ? listed : { ...listed, ...(ids && { ids }) }
}

/**
 * Whether the filter has more than a time. Such a filter may match nothing, and the sums can show that
 * without comparing any row.
 */
function isSelective({ type, username, tokenName, modelName, group, channelId }: LogFilter): boolean {
  return [type, username, tokenName, modelName, group, channelId].some((part) => part !== undefined)
}

async function hasSummed(db: Db, filter: LogFilter, { summed }: UsageParts): Promise<boolean> {
  for (const span of summed) {
    const { rows } =
      await sql`select 1 from ${sql.table(span.table)} where ${spanMatches(filter, span)} limit 1`.execute(db)
    if (rows.length > 0) return true
  }
  return false
}

/** The model names that a pattern matches, if the pattern is the only condition that leads to the rows. */
async function modelsOf(
  db: Db,
  filter: LogFilter,
  { summed }: UsageParts,
): Promise<readonly string[] | undefined> {
  const { modelName = '', userId, userIds, tokenName, channelId } = filter
  if (!isPattern(modelName) || [userId, userIds, tokenName, channelId].some((part) => part !== undefined))
    return undefined
  const names = new Set<string>()
  for (const span of summed) {
    const { rows } = await sql<{ model_name: string }>`
      select distinct model_name from ${sql.table(span.table)} where ${spanMatches(filter, span)}`.execute(db)
    for (const row of rows) names.add(row.model_name)
  }
  const isWhole = [...names].every((name) => name.length < NAME_CHARACTERS_MAX)
  return isWhole && names.size <= MODELS_MAX ? [...names] : undefined
}

/** SQLite does not know how many rows have a type. If few rows have it, sorting all their ids is fast. */
async function hasFewOfType(db: Db, filter: LogFilter): Promise<boolean> {
  const { type, userId, userIds, tokenName, modelName, channelId } = filter
  if (type === undefined || engineOf(db) !== 'sqlite') return false
  if ([userId, userIds, tokenName, modelName, channelId].some((part) => part !== undefined)) return false
  const { from, until } = filter
  return (await countLogs(db, { type, from, until }, SORTED_MAX)) < SORTED_MAX
}

/**
 * Adds the ids of the users who have had the filter's username. Rows are then found through an index by user
 * id; the name only compares.
 */
export async function withUserIds(db: Db, filter: LogFilter, knownUsers: Db = db): Promise<LogFilter> {
  return withIds(filter, await usersOf(db, filter, knownUsers))
}

function withIds(filter: LogFilter, userIds: readonly number[] = []): LogFilter {
  return userIds.length > 0 && userIds.length <= USERS_MAX ? { ...filter, userIds } : filter
}

/**
 * Like {@link withUserIds}, for a chart. With only a token name in the filter, it adds the ids of that
 * token's users, because sums by model, group or channel are found by user too.
 */
export async function withTokenUserIds(
  db: Db,
  { filter, by }: { readonly filter: LogFilter; readonly by: UsageKey },
  knownUsers: Db = db,
): Promise<LogFilter> {
  const { username, tokenName, userId } = filter
  if (username !== undefined || tokenName === undefined || userId !== undefined || isOwnerKey(by))
    return withUserIds(db, filter, knownUsers)
  return withIds(filter, await usersOfToken(db, tokenName))
}

/**
 * Also returns users for a token name combined with a model, group or channel, because those sums are found
 * by user.
 */
async function usersOf(db: Db, filter: LogFilter, knownUsers: Db): Promise<readonly number[] | undefined> {
  const { username, tokenName, userId, modelName, group, channelId } = filter
  if (username !== undefined) return usersNamed(db, username, knownUsers)
  const isOfRoute = [modelName, group, channelId].some((part) => part !== undefined)
  if (tokenName === undefined || userId !== undefined || !isOfRoute) return undefined
  return usersOfToken(db, tokenName)
}

/** Ids of all users who had a token with this name. */
async function usersOfToken(db: Db, tokenName: string): Promise<readonly number[] | undefined> {
  const through = await usageThrough(db)
  if (through === 0) return undefined
  const newest = logMatches({ tokenName, from: through, isBrief: true }, engineOf(db))
  const [summed, since] = await Promise.all([
    db.selectFrom('usage_owners').select(eachUser).distinct().where('token_name', '=', tokenName).execute(),
    db.selectFrom('logs').select(eachUser).distinct().where(newest).execute(),
  ])
  return [...new Set([...summed, ...since].map(({ user_id: id }) => id))]
}

/** Without the `+ 0`, SQLite would walk through the index of all users to return each one once. */
const eachUser = sql<number>`user_id + 0`.as('user_id')

/**
 * The range of ids that covers a range of times. A row is written when its call ends, so ids follow times
 * only roughly; each summed hour stores its own first and last id.
 */
async function idsOfTimes(db: Db, { from, until }: LogFilter): Promise<LogFilter['ids']> {
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

async function firstIdSince(db: Db, seconds: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('logs')
    // Without the sum, database engines scan all ids up to the first row of that time.
    .select(sql<number | null>`min(logs.id + 0)`.as('first'))
    .where('created_at', '>=', seconds)
    .executeTakeFirst()
  return row?.first === null || row?.first === undefined ? undefined : row.first
}

/** Ids of all users who had this username when they were logged, or who have it now. */
async function usersNamed(db: Db, username: string, knownUsers: Db): Promise<readonly number[]> {
  const [logged, now] = await Promise.all([
    db.selectFrom('usage_owners').select('user_id').distinct().where('username', '=', username).execute(),
    knownUsers.selectFrom('users').select('id as user_id').where('username', '=', username).execute(),
  ])
  return [...new Set([...logged, ...now].map(({ user_id: id }) => id))]
}
