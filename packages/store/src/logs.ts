import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Page } from './page.ts'
import type { Database } from './schema.ts'
import { literalPattern } from './traits.ts'

/** The wide usage log: lists, sums and cleaning. Writing rows is the ledger's and the services' business. */
export type LogRowWithChannel = Awaited<ReturnType<typeof listLogs>>[number]

export interface LogFilter {
  readonly userId?: number | undefined
  readonly type?: number | undefined
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
}

/** Newest first. */
export function listLogs(db: Kysely<Database>, filter: LogFilter, page: Page) {
  return db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .selectAll('logs')
    .select('channels.name as channel_name')
    .where((where) => matches(where, filter))
    .orderBy('logs.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
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
        .where((where) => matches(where, filter))
        .limit(atMost)
        .as('matching'),
    )
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(row.rows)
}

export interface LogSums {
  readonly quota: bigint
  readonly promptTokens: number
  readonly completionTokens: number
  readonly count: number
}

/** Engines differ in what a sum is. */
type Sum = bigint | number | string

export async function sumLogs(db: Kysely<Database>, filter: LogFilter): Promise<LogSums> {
  const row = await db
    .selectFrom('logs')
    .select([
      sql<Sum>`coalesce(sum(logs.quota), 0)`.as('quota'),
      sql<Sum>`coalesce(sum(logs.prompt_tokens), 0)`.as('prompt'),
      sql<Sum>`coalesce(sum(logs.completion_tokens), 0)`.as('completion'),
      sql<Sum>`count(*)`.as('rows'),
    ])
    .where((where) => matches(where, filter))
    .executeTakeFirstOrThrow()
  return {
    quota: BigInt(row.quota),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    count: Number(row.rows),
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

function matches(where: ExpressionBuilder<Database, 'logs'>, filter: LogFilter): Expression<SqlBool> {
  const all: Expression<SqlBool>[] = []
  if (filter.userId !== undefined) all.push(where('logs.user_id', '=', filter.userId))
  if (filter.type !== undefined) all.push(where('logs.type', '=', filter.type))
  if (filter.from !== undefined) all.push(where('logs.created_at', '>=', filter.from))
  if (filter.until !== undefined) all.push(where('logs.created_at', '<=', filter.until))
  if (filter.username !== undefined) all.push(where('logs.username', '=', filter.username))
  if (filter.tokenName !== undefined) all.push(where('logs.token_name', '=', filter.tokenName))
  if (filter.modelName !== undefined) all.push(isModel(where, filter.modelName))
  if (filter.group !== undefined) all.push(where('logs.group_name', '=', filter.group))
  if (filter.channelId !== undefined) all.push(where('logs.channel_id', '=', filter.channelId))
  if (filter.requestId !== undefined) all.push(where('logs.request_id', '=', filter.requestId))
  if (filter.beforeId !== undefined) all.push(where('logs.id', '<', filter.beforeId))
  return where.and(all)
}

function isModel(where: ExpressionBuilder<Database, 'logs'>, name: string): Expression<SqlBool> {
  const [, start = '', text = '', end = ''] = /^(%?)(.*?)(%?)$/s.exec(name) ?? []
  if (start === '' && end === '') return where('logs.model_name', '=', name)
  return sql<boolean>`logs.model_name like ${start + literalPattern(text) + end} escape '!'`
}
