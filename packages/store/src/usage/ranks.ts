import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type LogFilter, logMatches } from '../logs/filter.ts'
import { netQuota } from './net-quota.ts'
import type { Db } from '../tables/schema.ts'
import { engineOf } from '../database/traits.ts'
import { NAME_CHARACTERS_MAX } from './aggregation.ts'
import { type UsageKey, isOwnerKey, partsOf, spanMatches } from './parts.ts'

/**
 * Ranks models, tokens or other keys by net charges in a range. It reads daily sums where it can, however the
 * range is divided into steps.
 */

export interface RankedKeys {
  readonly keys: readonly (string | number)[]
  /** Ids of the users to whom the keys belong, if each key belongs to one user. */
  readonly userIds?: readonly number[]
}

export interface RankInput {
  readonly filter: LogFilter
  readonly by: UsageKey
  readonly keysMax: number
}

interface RankedRow {
  readonly used_key: string | number
  readonly first_user: number
  readonly last_user: number
}

/** Highest net charges first (charges less refunds); keys with equal charges are ordered by calls. */
export async function largestKeys(db: Db, { filter, by, keysMax }: RankInput): Promise<RankedKeys> {
  const { summed, rows } = await partsOf(db, filter, { by })
  const engine = engineOf(db)
  const user = isOwnerKey(by) ? sql.ref('user_id') : sql.lit(0)
  const quota = sql`${netQuota} as quota`
  const pieces = [
    ...summed.map(
      (
        span,
      ) => sql`select ${usageColumns(by, span.table).key} as used_key, ${user} as user_id, ${quota}, calls
        from ${sql.table(span.table)} where ${spanMatches(filter, span)}`,
    ),
    ...rows.map(
      (
        range,
      ) => sql`select ${usageColumns(by, 'logs').key} as used_key, ${user} as user_id, ${quota}, 1 as calls
        from logs where ${logMatches({ ...filter, ...range }, engine)}`,
    ),
  ]
  const { rows: ranked } = await sql<RankedRow>`
    select used_key, min(user_id) as first_user, max(user_id) as last_user
    from (${sql.join(pieces, sql` union all `)}) as pieces
    group by used_key order by sum(quota) desc, sum(calls) desc, used_key limit ${sql.lit(keysMax)}`.execute(
    db,
  )
  const keys = ranked.map(({ used_key: key }) => key)
  const isOneUsers = isOwnerKey(by) && ranked.every((row) => row.first_user === row.last_user)
  return isOneUsers ? { keys, userIds: [...new Set(ranked.map((row) => row.first_user))] } : { keys }
}

export function keyIn(key: RawBuilder<unknown>, { keys }: RankedKeys): RawBuilder<SqlBool> {
  return keys.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${key} in (${sql.join(keys)})`
}

const COLUMNS: Readonly<Record<UsageKey, { readonly key: string; readonly label?: string }>> = {
  model: { key: 'model_name' },
  group: { key: 'group_name' },
  channel: { key: 'channel_id' },
  token: { key: 'token_id', label: 'token_name' },
  user: { key: 'user_id', label: 'username' },
}

/** Log rows have full names and sums only prefixes, so names of log rows are cut to the same length. */
export function usageColumns(by: UsageKey, table: string) {
  const { key, label } = COLUMNS[by]
  const isWhole = table === 'logs' && label === undefined && by !== 'channel'
  return {
    key: isWhole ? sql`substr(${sql.ref(key)}, 1, ${sql.lit(NAME_CHARACTERS_MAX)})` : sql`${sql.ref(key)}`,
    label: label ? sql`${sql.ref(label)}` : sql.lit(''),
  }
}
