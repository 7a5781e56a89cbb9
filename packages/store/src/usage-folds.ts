import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

/** How the sums of the usage log are made narrower or longer: from rows to cells, from cells to less, from hours to days. */

export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400

const ROUTE = ['model_name', 'group_name', 'channel_id'] as const
const OWNER = ['user_id', 'username', 'token_id', 'token_name'] as const
const SUMS = ['quota', 'prompt_tokens', 'completion_tokens', 'duration_ms', 'first_byte_ms'] as const
const ALL_SUMS = ['calls', ...SUMS, 'first_bytes', 'cost', 'costed_quota'] as const
const NAMES = ['username', 'token_name', 'model_name', 'group_name'] as const
/** Longer names are cut. */
export const NAME_CHARACTERS_MAX = 255

/** What calls of a table of sums differ in, beside their time and type. */
const COLUMNS = {
  usage_cells: [...OWNER, ...ROUTE],
  usage_routes: ROUTE,
  usage_owners: OWNER,
  usage_route_days: ROUTE,
  usage_owner_days: OWNER,
} as const

/** The same by whole days, where an hour has so many rows that a month of them takes long to read. */
export const DAYS_OF = { usage_routes: 'usage_route_days', usage_owners: 'usage_owner_days' } as const

interface Fold {
  readonly from: keyof typeof COLUMNS
  readonly to: keyof typeof COLUMNS
  /** The first second, also of what is made of it. */
  readonly at: number
  readonly seconds: number
}

/** Adds the sums of a span to the table that tells no more of it than `to` does. */
export async function fold(db: Kysely<Database>, { from, to, at, seconds }: Fold): Promise<void> {
  const by = refs(['type', ...COLUMNS[to]])
  await sql`insert into ${sql.table(to)} (hour_at, ${by}, ${refs(ALL_SUMS)})
    select ${sql.lit(at)}, ${by}, ${sql.join(ALL_SUMS.map(sumOf))} from ${sql.table(from)}
    where hour_at >= ${at} and hour_at < ${at + seconds} group by ${by}`.execute(db)
}

/** Adds the cells of an hour, summed from the rows of the log. */
export async function foldRows(db: Kysely<Database>, hourAt: number): Promise<void> {
  const by = refs(['type', ...COLUMNS.usage_cells])
  const ids = refs(['type', 'user_id', 'token_id', 'channel_id', ...SUMS, 'cost'])
  const names = NAMES.map(
    (name) => sql`substr(${sql.ref(name)}, 1, ${sql.lit(NAME_CHARACTERS_MAX)}) as ${sql.ref(name)}`,
  )
  await sql`insert into usage_cells (hour_at, ${by}, ${refs(ALL_SUMS)})
    select ${sql.lit(hourAt)}, ${by}, count(*), ${sql.join(SUMS.map(sumOf))},
      sum(case when first_byte_ms > 0 then 1 else 0 end), coalesce(sum(cost), 0),
      sum(case when cost is null then 0 else quota end)
    from (select ${ids}, ${sql.join(names)} from logs
      where created_at >= ${hourAt} and created_at < ${hourAt + HOUR_SECONDS}) as hour_rows
    group by ${by}`.execute(db)
}

function refs(names: readonly string[]) {
  return sql.join(names.map((name) => sql.ref(name)))
}

function sumOf(name: string) {
  return sql`sum(${sql.ref(name)})`
}
