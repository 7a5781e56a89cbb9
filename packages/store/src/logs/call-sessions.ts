import { LOG_TYPE } from '@tollgate/kit/codes'
import { type Kysely, sql } from 'kysely'
import type { Page } from '../database/page.ts'
import { engineOf } from '../database/traits.ts'
import type { Database } from '../tables/schema.ts'
import { netQuota } from '../usage/net-quota.ts'
import { type LogFilter, logMatches } from './filter.ts'

/** The usage log by sessions of callers. */

export interface SessionSums {
  readonly session: string
  readonly userId: number
  readonly username: string
  readonly client: string
  readonly clientVersion: string
  readonly firstAt: number
  readonly lastAt: number
  readonly calls: number
  readonly errors: number
  readonly quota: bigint
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
  readonly cacheSaved: bigint
  /** Number of calls by channel. */
  readonly channels: ReadonlyMap<number, number>
}

/** The newest calls with a session that the filter matches, of which only so many are looked at. */
export interface RecentSessions {
  readonly filter: LogFilter
  readonly rowsMax: number
}

/** The session that made the last call comes first. */
export async function listRecentSessions(
  db: Kysely<Database>,
  recent: RecentSessions,
  { limit, offset }: Page,
): Promise<readonly SessionSums[]> {
  const { rows } = await sql<{ session: string }>`select session from (${newest(db, recent)}) as recent
    group by session order by max(id) desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db)
  const names = rows.map(({ session }) => session)
  const sums = await sumSessions(db, names)
  return names.flatMap((name) => sums.get(name) ?? [])
}

export async function countRecentSessions(db: Kysely<Database>, recent: RecentSessions): Promise<number> {
  const { rows } = await sql<{ sessions: Sum }>`select count(distinct session) as sessions
    from (${newest(db, recent)}) as recent`.execute(db)
  return Number(rows[0]?.sessions ?? 0)
}

function newest(db: Kysely<Database>, { filter, rowsMax }: RecentSessions) {
  return sql`select id, session from logs where session is not null and ${logMatches(filter, engineOf(db))}
    order by id desc limit ${sql.lit(rowsMax)}`
}

type Sum = bigint | number | string

interface SummedRow {
  readonly session: string
  readonly channel_id: number
  readonly user_id: number
  readonly username: string
  readonly client: string | null
  readonly client_version: string | null
  readonly first_at: number
  readonly last_at: number
  readonly calls: Sum
  readonly errors: Sum
  readonly net: Sum
  readonly prompt: Sum
  readonly completion: Sum
  readonly cached: Sum
  readonly saved: Sum
}

/** Sums over all calls of these sessions. */
export async function sumSessions(
  db: Kysely<Database>,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, SessionSums>> {
  if (sessions.length === 0) return new Map()
  const { rows } = await sql<SummedRow>`
    select session, channel_id, max(user_id) as user_id, max(username) as username, max(client) as client,
      max(client_version) as client_version, min(created_at) as first_at, max(created_at) as last_at,
      ${countOf(LOG_TYPE.consumption)} as calls, ${countOf(LOG_TYPE.error)} as errors, sum(${netQuota}) as net,
      sum(prompt_tokens) as prompt, sum(completion_tokens) as completion,
      coalesce(sum(cached_tokens), 0) as cached, coalesce(sum(cache_saved), 0) as saved
    from logs where session in (${sql.join(sessions)}) group by session, channel_id`.execute(db)
  const sums = new Map<string, SessionSums>()
  for (const row of rows) sums.set(row.session, plus(sums.get(row.session), sumsOf(row)))
  return sums
}

function countOf(type: number) {
  return sql`sum(case when type = ${sql.lit(type)} then 1 else 0 end)`
}

function sumsOf(row: SummedRow): SessionSums {
  return {
    session: row.session,
    userId: row.user_id,
    username: row.username,
    client: row.client ?? '',
    clientVersion: row.client_version ?? '',
    firstAt: row.first_at,
    lastAt: row.last_at,
    calls: Number(row.calls),
    errors: Number(row.errors),
    quota: BigInt(row.net),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    cachedTokens: Number(row.cached),
    cacheSaved: BigInt(row.saved),
    // A call that was refused before it had a channel has the id 0.
    channels: new Map(row.channel_id === 0 ? [] : [[row.channel_id, Number(row.calls) + Number(row.errors)]]),
  }
}

function plus(left: SessionSums | undefined, right: SessionSums): SessionSums {
  if (left === undefined) return right
  const newer = left.lastAt > right.lastAt ? left : right
  return {
    ...newer,
    firstAt: Math.min(left.firstAt, right.firstAt),
    calls: left.calls + right.calls,
    errors: left.errors + right.errors,
    quota: left.quota + right.quota,
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
    cacheSaved: left.cacheSaved + right.cacheSaved,
    channels: new Map([...left.channels, ...right.channels]),
  }
}

/** The calls of a session, oldest first, after a row. */
export function listCallsOfSession(
  db: Kysely<Database>,
  { session, afterId = 0 }: { readonly session: string; readonly afterId?: number | undefined },
  limit: number,
) {
  return db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .selectAll('logs')
    .select('channels.name as channel_name')
    .where('logs.session', '=', session)
    .where('logs.id', '>', afterId)
    .orderBy('logs.id')
    .limit(limit)
    .execute()
}

export interface CacheUse {
  readonly calls: number
  readonly hits: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
  /** 0 without a call. */
  readonly lastAt: number
}

/** How a session used the upstream's cache since a time. */
export async function cacheUseOf(
  db: Kysely<Database>,
  { session, group, since }: { readonly session: string; readonly group?: string; readonly since: number },
): Promise<CacheUse> {
  const ofGroup = group === undefined ? sql`` : sql` and group_name = ${group}`
  const { rows } = await sql<
    Readonly<Record<'calls' | 'hits' | 'prompt' | 'completion' | 'cached' | 'last_at', Sum>>
  >`
    select count(*) as calls, coalesce(sum(case when cached_tokens > 0 then 1 else 0 end), 0) as hits,
      coalesce(sum(prompt_tokens), 0) as prompt, coalesce(sum(completion_tokens), 0) as completion,
      coalesce(sum(cached_tokens), 0) as cached, coalesce(max(created_at), 0) as last_at
    from logs where session = ${session} and type = ${sql.lit(LOG_TYPE.consumption)}
      and created_at >= ${since}${ofGroup}`.execute(db)
  const [row] = rows
  return {
    calls: Number(row?.calls ?? 0),
    hits: Number(row?.hits ?? 0),
    promptTokens: Number(row?.prompt ?? 0),
    completionTokens: Number(row?.completion ?? 0),
    cachedTokens: Number(row?.cached ?? 0),
    lastAt: Number(row?.last_at ?? 0),
  }
}
