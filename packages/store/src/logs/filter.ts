import { type RawBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { Condition } from '../database/condition.ts'
import type { LogPlaces, TimeRange } from './places.ts'
import type { Database } from '../tables/schema.ts'
import { type Traits, literalPattern } from '../database/traits.ts'

export interface LogFilter {
  readonly userId?: number | undefined
  /** Any of these users. */
  readonly userIds?: readonly number[] | undefined
  readonly type?: number | undefined
  /** Any of these types. */
  readonly types?: readonly number[] | undefined
  /** Inclusive, in seconds. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  readonly username?: string | undefined
  readonly tokenName?: string | undefined
  readonly tokenId?: number | undefined
  /** Exact match; a `%` at either end means "anything". */
  readonly modelName?: string | undefined
  readonly group?: string | undefined
  readonly channelId?: number | undefined
  readonly requestId?: string | undefined
  /** The vendor's id of a request. */
  readonly upstreamRequestId?: string | undefined
  /** The id of a request, ours or the vendor's. */
  readonly anyRequestId?: string | undefined
  readonly session?: string | undefined
  readonly client?: string | undefined
  readonly beforeId?: number | undefined
  /** Inclusive range of ids that is known to contain every row between `from` and `until`. */
  readonly ids?: { readonly first?: number | undefined; readonly last?: number | undefined } | undefined
  /** Any of these time ranges, inclusive, in seconds. */
  readonly ranges?: readonly TimeRange[] | undefined
  /**
   * The time ranges contain so few rows that all of them are read and compared, whatever the other conditions
   * are.
   */
  readonly isBrief?: boolean | undefined
  /** Every matching row has one of these model names or lies within `ranges`. */
  readonly modelNames?: readonly string[] | undefined
  /** All matching rows are at these places. */
  readonly places?: LogPlaces | undefined
}

/** The same filter, restricted to brief time ranges within its own. */
export function withinRanges(filter: LogFilter, ranges: readonly TimeRange[]): LogFilter {
  return { ...filter, from: undefined, until: undefined, ids: undefined, ranges, isBrief: true }
}

/**
 * With `engine`, the condition is written so that this engine uses its indexes over name prefixes and avoids
 * indexes that lead through too many rows.
 */
export function logMatches(filter: LogFilter, engine?: Traits['engine']): Condition {
  const where = expressionBuilder<Database, 'logs'>()
  const all: Condition[] = []
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
  if (filter.tokenId !== undefined) all.push(where('logs.token_id', '=', filter.tokenId))
  if (filter.modelName !== undefined)
    all.push(isModel(column('model_name'), filter.modelName, isOfUser ? undefined : engine))
  if (filter.group !== undefined) all.push(where('logs.group_name', '=', filter.group))
  if (filter.channelId !== undefined) all.push(where(column('channel_id'), '=', filter.channelId))
  if (filter.requestId !== undefined) all.push(where('logs.request_id', '=', filter.requestId))
  if (filter.upstreamRequestId !== undefined)
    all.push(where('logs.upstream_request_id', '=', filter.upstreamRequestId))
  if (filter.anyRequestId !== undefined) all.push(isOfRequest(filter.anyRequestId))
  if (filter.session !== undefined) all.push(where('logs.session', '=', filter.session))
  if (filter.client !== undefined) all.push(where('logs.client', '=', filter.client))
  if (filter.beforeId !== undefined) all.push(where(column('id'), '<', filter.beforeId))
  if (filter.ids?.first !== undefined) all.push(where('logs.id', '>=', filter.ids.first))
  if (filter.ids?.last !== undefined) all.push(where('logs.id', '<=', filter.ids.last))
  return where.and(all)
}

/** Each half is found by its own index, which not every engine sees in an `or`. */
function isOfRequest(id: string): Condition {
  return sql<SqlBool>`logs.id in (
    select id from logs where request_id = ${id} union all select id from logs where upstream_request_id = ${id})`
}

function isWithin(time: RawBuilder<number>, { from, until }: TimeRange): Condition {
  const where = expressionBuilder<Database, 'logs'>()
  return where.and([
    ...(from === undefined ? [] : [where(time, '>=', from)]),
    ...(until === undefined ? [] : [where(time, '<=', until)]),
  ])
}

type Indexed = 'id' | 'user_id' | 'type' | 'created_at' | 'token_name' | 'model_name' | 'channel_id'

const OF_TIME: ReadonlySet<Indexed> = new Set<Indexed>(['created_at', 'type'])

/**
 * SQLite uses any index with an equality condition, however many rows match, and would then collect all rows
 * of a time range to sort them by id. A unary plus before the column prevents the use of its index.
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

/**
 * Whether the column's index is a poor choice. Brief times find few rows; otherwise a range of ids does. A
 * user has fewer rows than a token name, which many users may share.
 */
function isLongWay(name: Indexed, { ids, isBrief, ...filter }: LogFilter): boolean {
  // A session or a request has few rows, and all of them are found by its index.
  const { session, upstreamRequestId, anyRequestId } = filter
  if ([session, upstreamRequestId, anyRequestId].some((part) => part !== undefined)) return true
  if (isBrief) return !OF_TIME.has(name)
  if (OF_TIME.has(name)) return ids !== undefined
  if (name === 'user_id' || name === 'id') return false
  if (filter.userId !== undefined || filter.userIds !== undefined) return true
  if (name === 'token_name') return false
  return filter.tokenName !== undefined || (name === 'model_name' && isPattern(filter.modelName ?? ''))
}

/**
 * A single user is compared with `=`, because an index cannot return the rows of several users in id order.
 */
function isOneOf(column: RawBuilder<number>, userIds: readonly number[]): Condition {
  const where = expressionBuilder<Database, 'logs'>()
  const [first] = userIds
  if (first !== undefined && userIds.length === 1) return where(column, '=', first)
  return where(column, 'in', userIds)
}

/**
 * PostgreSQL would count the name as another condition that few rows meet and underestimate the result.
 * `coalesce` hides the column from its estimate.
 */
function isNamed(username: string, isGuarded: boolean): Condition {
  const is = sql<SqlBool>`${sql.ref('logs.username')} = ${username}`
  return isGuarded ? sql<SqlBool>`coalesce(${is}, false)` : is
}

function isModel(column: RawBuilder<unknown>, name: string, engine: Traits['engine'] | undefined): Condition {
  return isPattern(name) ? nameMatches(column, name) : indexedName(column, name, engine)
}

/** PostgreSQL's indexes over names hold only this many characters. */
const INDEXED_CHARACTERS = 64

function indexedName(
  column: RawBuilder<unknown>,
  name: string,
  engine: Traits['engine'] | undefined,
): Condition {
  const is = sql<SqlBool>`${column} = ${name}`
  if (engine !== 'postgres') return is
  const begins = sql<SqlBool>`left(${column}, ${sql.lit(INDEXED_CHARACTERS)}) = left(${name}, ${sql.lit(INDEXED_CHARACTERS)})`
  // A shorter prefix is the whole name, and the engine estimates its number of rows better without the second
  // condition.
  return name.length < INDEXED_CHARACTERS ? begins : sql<SqlBool>`(${begins} and ${is})`
}

/** Whether the text is a pattern that may match several names, see {@link nameMatches}. */
export function isPattern(name: string): boolean {
  return name.startsWith('%') || name.endsWith('%')
}

/** Exact match; a `%` at either end means "anything". */
export function nameMatches(column: RawBuilder<unknown>, name: string): Condition {
  const [, start = '', text = '', end = ''] = /^(%?)(.*?)(%?)$/s.exec(name) ?? []
  if (start === '' && end === '') return sql<SqlBool>`${column} = ${name}`
  return sql<SqlBool>`${column} like ${start + literalPattern(text) + end} escape '!'`
}
