import { type Expression, type Kysely, type RawBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import { netQuota, ofCalls } from './net-quota.ts'
import { type LogPlaces, type TimeRange, spotsForPage } from './log-places.ts'
import type { Page } from './page.ts'
import type { Database } from './schema.ts'
import { type Traits, engineOf, literalPattern } from './traits.ts'

/** The wide usage log: lists, sums and cleaning. Writing rows is the ledger's and the services' business. */
export type LogRowWithChannel = Awaited<ReturnType<typeof listLogs>>[number]

export interface LogFilter {
  readonly userId?: number | undefined
  /** Any of them. */
  readonly userIds?: readonly number[] | undefined
  readonly type?: number | undefined
  /** Any of them. */
  readonly types?: readonly number[] | undefined
  /** Inclusive seconds. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  readonly username?: string | undefined
  readonly tokenName?: string | undefined
  /** Exact; a `%` at either end means "anything". */
  readonly modelName?: string | undefined
  readonly group?: string | undefined
  readonly channelId?: number | undefined
  readonly requestId?: string | undefined
  readonly beforeId?: number | undefined
  /** Inclusive ids, where they are known to hold all that the times ask for. */
  readonly ids?: { readonly first?: number | undefined; readonly last?: number | undefined } | undefined
  /** Any of these times; inclusive seconds. */
  readonly ranges?: readonly TimeRange[] | undefined
  /** The times hold so few rows that these are read and compared, whatever else is asked for. */
  readonly isBrief?: boolean | undefined
  /** Rows that match have one of these names, or are within `ranges`. */
  readonly modelNames?: readonly string[] | undefined
  /** All rows that match are at these places. */
  readonly places?: LogPlaces | undefined
}

/** Newest first. The page is found by ids alone, before its wide rows are read. */
export function listLogs(db: Kysely<Database>, filter: LogFilter, page: Page) {
  return db
    .selectFrom(idsOfPage(db, filter, page).as('page'))
    .innerJoin('logs', 'logs.id', 'page.page_id')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .selectAll('logs')
    .select('channels.name as channel_name')
    .orderBy('logs.id', 'desc')
    .execute()
}

function idsOfPage(db: Kysely<Database>, filter: LogFilter, { limit, offset }: Page) {
  const { modelNames, places } = filter
  const spots = places && spotsForPage(places.spots, { limit, offset }, filter.beforeId)
  if (places && spots)
    return idsAtPlaces(db, filter, { ...places, spots })
      .limit(limit)
      .offset(offset)
  if (!modelNames) return newestIds(db, filter).limit(limit).offset(offset)
  // Each name has its rows in the order of ids; those that no sum knows yet are found by their times.
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

function idsAtPlaces(db: Kysely<Database>, filter: LogFilter, { spots, ranges }: LogPlaces) {
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

/** The same filter for brief times alone, which are within its own. */
export function withinRanges(filter: LogFilter, ranges: readonly TimeRange[]): LogFilter {
  return { ...filter, from: undefined, until: undefined, ids: undefined, ranges, isBrief: true }
}

function newestIds(db: Kysely<Database>, filter: LogFilter) {
  // By a sum ids are sorted when they are found; by themselves, engines walk down all of them.
  const id = filter.isBrief ? sql`logs.id + 0` : sql.ref('logs.id')
  return db
    .selectFrom('logs')
    .select('logs.id as page_id')
    .where(logMatches(filter, engineOf(db)))
    .orderBy(id, 'desc')
}

/** For rows of a log that is kept elsewhere. */
export async function channelNames(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** How many rows match; counting stops at `atMost`, so that a long log does not make each page slow. */
export async function countLogs(db: Kysely<Database>, filter: LogFilter, atMost: number): Promise<number> {
  const row = await db
    .selectFrom((from) =>
      from
        .selectFrom('logs')
        .select('logs.id')
        .where(logMatches(filter, engineOf(db)))
        .limit(atMost)
        .as('matching'),
    )
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(row.rows)
}

export interface LogSums {
  /** What was charged less what was given back. */
  readonly quota: bigint
  readonly promptTokens: number
  readonly completionTokens: number
  /** Of rows. */
  readonly count: number
  /** The rows that are no refunds. */
  readonly calls: number
}

/** Engines differ in what a sum is. */
type Sum = bigint | number | string

/** Row by row; `usage-sums.ts` knows a shorter way. */
export async function sumLogRows(db: Kysely<Database>, filter: LogFilter): Promise<LogSums> {
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

/** Deletes the oldest rows before a time, at most `limit` of them; answers how many. Repeat until it answers fewer. */
export async function removeLogsBefore(
  db: Kysely<Database>,
  input: { before: number; limit: number },
): Promise<number> {
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

/** An engine that is told uses the indexes over the beginning of names, and leaves those alone that lead a long way round. */
export function logMatches(filter: LogFilter, engine?: Traits['engine']): Expression<SqlBool> {
  const where = expressionBuilder<Database, 'logs'>()
  const all: Expression<SqlBool>[] = []
  const isOfUser = filter.userId !== undefined || filter.userIds !== undefined
  const column = columnsOf(filter, engine)
  if (filter.userId !== undefined) all.push(where(column('user_id'), '=', filter.userId))
  if (filter.userIds !== undefined) all.push(isOneOf(column('user_id'), filter.userIds))
  if (filter.type !== undefined) all.push(where(column('type'), '=', filter.type))
  if (filter.types !== undefined) all.push(where(column('type'), 'in', filter.types))
  if (filter.from !== undefined) all.push(where(column('created_at'), '>=', filter.from))
  if (filter.until !== undefined) all.push(where(column('created_at'), '<=', filter.until))
  if (filter.ranges !== undefined)
    all.push(where.or(filter.ranges.map((range) => isWithin(column('created_at'), range))))
  if (filter.username !== undefined) all.push(isNamed(filter.username, isOfUser && engine === 'postgres'))
  if (filter.tokenName !== undefined) all.push(indexedName(column('token_name'), filter.tokenName, engine))
  if (filter.modelName !== undefined)
    all.push(isModel(column('model_name'), filter.modelName, isOfUser ? undefined : engine))
  if (filter.group !== undefined) all.push(where('logs.group_name', '=', filter.group))
  if (filter.channelId !== undefined) all.push(where(column('channel_id'), '=', filter.channelId))
  if (filter.requestId !== undefined) all.push(where('logs.request_id', '=', filter.requestId))
  if (filter.beforeId !== undefined) all.push(where(column('id'), '<', filter.beforeId))
  if (filter.ids?.first !== undefined) all.push(where('logs.id', '>=', filter.ids.first))
  if (filter.ids?.last !== undefined) all.push(where('logs.id', '<=', filter.ids.last))
  return where.and(all)
}

function isWithin(time: RawBuilder<number>, { from, until }: TimeRange): Expression<SqlBool> {
  const where = expressionBuilder<Database, 'logs'>()
  return where.and([
    ...(from === undefined ? [] : [where(time, '>=', from)]),
    ...(until === undefined ? [] : [where(time, '<=', until)]),
  ])
}

type Indexed = 'id' | 'user_id' | 'type' | 'created_at' | 'token_name' | 'model_name' | 'channel_id'
const OF_TIME: ReadonlySet<Indexed> = new Set<Indexed>(['created_at', 'type'])

/**
 * SQLite takes any index that has a column of equal values, however many rows those are, and would gather all rows of a
 * time to sort them by id. The plus keeps it from the index of a column.
 */
function columnsOf(
  filter: LogFilter,
  engine: Traits['engine'] | undefined,
): (name: Indexed) => RawBuilder<number> {
  return (name) => {
    const column = sql.ref(`logs.${name}`)
    const isAvoided = engine === 'sqlite' && isLongWay(name, filter)
    return isAvoided ? sql<number>`+${column}` : sql<number>`${column}`
  }
}

/** Times find few rows when they are brief, and else ids do; a user has fewer than a name that anybody may use. */
function isLongWay(name: Indexed, { ids, isBrief, ...filter }: LogFilter): boolean {
  if (isBrief) return !OF_TIME.has(name)
  if (OF_TIME.has(name)) return ids !== undefined
  if (name === 'user_id' || name === 'id') return false
  if (filter.userId !== undefined || filter.userIds !== undefined) return true
  if (name === 'token_name') return false
  return filter.tokenName !== undefined || (name === 'model_name' && isPattern(filter.modelName ?? ''))
}

/** One is asked for by itself: the rows of several cannot be read in the order of an index. */
function isOneOf(column: RawBuilder<number>, userIds: readonly number[]): Expression<SqlBool> {
  const where = expressionBuilder<Database, 'logs'>()
  const [first] = userIds
  if (first !== undefined && userIds.length === 1) return where(column, '=', first)
  return where(column, 'in', userIds)
}

/** PostgreSQL takes the name for one more condition that few rows meet, unless it cannot tell what it is about. */
function isNamed(username: string, isGuarded: boolean): Expression<SqlBool> {
  const is = sql<SqlBool>`${sql.ref('logs.username')} = ${username}`
  return isGuarded ? sql<SqlBool>`coalesce(${is}, false)` : is
}

function isModel(
  column: RawBuilder<unknown>,
  name: string,
  engine: Traits['engine'] | undefined,
): Expression<SqlBool> {
  return isPattern(name) ? nameMatches(column, name) : indexedName(column, name, engine)
}

/** Of names, in PostgreSQL. */
const INDEXED_CHARACTERS = 64

function indexedName(
  column: RawBuilder<unknown>,
  name: string,
  engine: Traits['engine'] | undefined,
): Expression<SqlBool> {
  const is = sql<SqlBool>`${column} = ${name}`
  if (engine !== 'postgres') return is
  const begins = sql<SqlBool>`left(${column}, ${sql.lit(INDEXED_CHARACTERS)}) = left(${name}, ${sql.lit(INDEXED_CHARACTERS)})`
  // A beginning that is shorter is the whole name, and the engine guesses better how many rows have it.
  return name.length < INDEXED_CHARACTERS ? begins : sql<SqlBool>`(${begins} and ${is})`
}

/** Whether it asks for more names than one, see {@link nameMatches}. */
export function isPattern(name: string): boolean {
  return name.startsWith('%') || name.endsWith('%')
}

/** Exact; a `%` at either end means "anything". */
export function nameMatches(column: RawBuilder<unknown>, name: string): Expression<SqlBool> {
  const [, start = '', text = '', end = ''] = /^(%?)(.*?)(%?)$/s.exec(name) ?? []
  if (start === '' && end === '') return sql<SqlBool>`${column} = ${name}`
  return sql<SqlBool>`${column} like ${start + literalPattern(text) + end} escape '!'`
}
