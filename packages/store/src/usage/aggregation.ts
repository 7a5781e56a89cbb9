import { sql } from 'kysely'
import type { Db } from '../tables/schema.ts'

/**
 * Aggregates the usage log: from rows to cells, from cells to tables with fewer columns, from hours to days.
 */

export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400

const ROUTE = ['model_name', 'group_name', 'channel_id'] as const
const OWNER = ['user_id', 'username', 'token_id', 'token_name'] as const
const ADDED = ['quota', 'prompt_tokens', 'completion_tokens', 'duration_ms', 'first_byte_ms'] as const
/** Added too, but null in rows where they are not known. */
const ADDED_IF_KNOWN = ['cached_tokens', 'cache_saved'] as const
const SUMS = ['calls', ...ADDED, 'first_bytes', 'cost', 'costed_quota', ...ADDED_IF_KNOWN] as const
const NUMBERS: ReadonlySet<string> = new Set(['type', 'user_id', 'token_id', 'channel_id'])
/** Names are cut to this length. */
export const NAME_CHARACTERS_MAX = 255
/** Number of log rows that are read at once, so that other work of this process can run in between. */
const ROWS_AT_ONCE = 1000

/** Key columns of each table of sums, beside time and type. */
const COLUMNS = {
  usage_cells: [...OWNER, ...ROUTE],
  usage_routes: ROUTE,
  usage_owners: OWNER,
  usage_owner_groups: [...OWNER, 'group_name'],
  usage_route_days: ROUTE,
  usage_owner_days: OWNER,
  usage_owner_model_days: [...OWNER, 'model_name'],
  usage_owner_group_days: [...OWNER, 'group_name'],
  usage_owner_channel_days: [...OWNER, 'channel_id'],
} as const

export type SumTable = keyof typeof COLUMNS

/**
 * The hourly table that each daily table is made from. The daily tables exist because a month of hours takes
 * long to read.
 */
export const HOURS_OF = {
  usage_route_days: 'usage_routes',
  usage_owner_days: 'usage_owners',
  usage_owner_model_days: 'usage_cells',
  usage_owner_group_days: 'usage_owner_groups',
  usage_owner_channel_days: 'usage_cells',
} as const

export type DayTable = keyof typeof HOURS_OF
export type HourTable = Exclude<SumTable, DayTable>

/** The sums of one hour or day, of all users or of the given ones. */
export interface SumsAt {
  readonly at: number
  readonly userIds?: readonly number[] | undefined
}

/** A row of a table of sums, without its time. */
export interface SumRow {
  /** In the order of `keyColumns`. */
  readonly key: readonly (string | number)[]
  /** In the order of `SUM_COLUMNS`. */
  readonly sums: readonly bigint[]
}

export const SUM_COLUMNS: readonly string[] = SUMS

export function keyColumns(table: SumTable): readonly string[] {
  return ['type', ...COLUMNS[table]]
}

const USER_PLACE = keyColumns('usage_cells').indexOf('user_id')

export interface SummedHour {
  /** First and last id and number of the log rows; `undefined` when there are none. */
  readonly bounds: { readonly first_id: number; readonly last_id: number; readonly calls: number } | undefined
  readonly cells: readonly SumRow[]
}

/** The cells of an hour, summed from the current rows of the log. */
export async function readHour(db: Db, hourAt: number): Promise<SummedHour> {
  const cells = new Map<string, SumRow>()
  let [calls, firstId, lastId] = [0, Infinity, 0]
  for (let after = { at: hourAt, id: 0 }; ;) {
    const rows = await readRows(db, hourAt, after)
    for (const row of rows) {
      addTo(cells, { key: keyOf('usage_cells', row), sums: sumsOfRow(row) })
      firstId = Math.min(firstId, row.id)
      lastId = Math.max(lastId, row.id)
    }
    calls += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) break
    after = { at: last.created_at, id: last.id }
  }
  const bounds = calls > 0 ? { first_id: firstId, last_id: lastId, calls } : undefined
  return { bounds, cells: [...cells.values()].toSorted((left, right) => userOf(left) - userOf(right)) }
}

/** Cells are sorted by user, so that the rows of a user within an hour are stored next to each other. */
function userOf({ key }: SumRow): number {
  return Number(key[USER_PLACE])
}

function readRows(db: Db, hourAt: number, after: { readonly at: number; readonly id: number }) {
  return db
    .selectFrom('logs')
    .select([
      'id',
      'created_at',
      'type',
      'user_id',
      'token_id',
      'channel_id',
      ...ADDED,
      'cost',
      ...ADDED_IF_KNOWN,
    ])
    .select([beginningOf('username'), beginningOf('token_name')])
    .select([beginningOf('model_name'), beginningOf('group_name')])
    .where('created_at', '>=', after.at)
    .where('created_at', '<', hourAt + HOUR_SECONDS)
    .where((where) => where.or([where('created_at', '>', after.at), where('id', '>', after.id)]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()
}

type LogRow = Awaited<ReturnType<typeof readRows>>[number]

function beginningOf<Name extends 'username' | 'token_name' | 'model_name' | 'group_name'>(name: Name) {
  return sql<string>`substr(${sql.ref(name)}, 1, ${sql.lit(NAME_CHARACTERS_MAX)})`.as(name)
}

function sumsOfRow(row: LogRow): readonly bigint[] {
  const added = ADDED.map((name) => BigInt(row[name]))
  const firstBytes = row.first_byte_ms > 0 ? 1n : 0n
  const known = ADDED_IF_KNOWN.map((name) => BigInt(row[name] ?? 0))
  return [1n, ...added, firstBytes, row.cost ?? 0n, row.cost === null ? 0n : row.quota, ...known]
}

/** Sums the cells of an hour into the rows of a table with fewer key columns. */
export function narrowTo(
  table: Exclude<HourTable, 'usage_cells'>,
  cells: readonly SumRow[],
): readonly SumRow[] {
  const all = keyColumns('usage_cells')
  const places = keyColumns(table).map((name) => all.indexOf(name))
  const rows = new Map<string, SumRow>()
  for (const { key, sums } of cells) addTo(rows, { key: places.map((place) => key[place] ?? ''), sums })
  return [...rows.values()]
}

function addTo(rows: Map<string, SumRow>, { key, sums }: SumRow): void {
  const name = nameOf(key)
  const known = rows.get(name)
  rows.set(name, { key, sums: known ? known.sums.map((sum, place) => sum + (sums[place] ?? 0n)) : sums })
}

/** Equal for equal keys only. */
export function nameOf(key: SumRow['key']): string {
  return JSON.stringify(key)
}

/** The sums of a day, made from its hours. */
export async function readDay(db: Db, table: DayTable, { at, userIds }: SumsAt): Promise<readonly SumRow[]> {
  const by = refs(keyColumns(table))
  const sums = SUMS.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`)
  const { rows } = await sql<Columns>`select ${by}, ${sql.join(sums)} from ${sql.table(HOURS_OF[table])}
    where hour_at >= ${at} and hour_at < ${at + DAY_SECONDS}${ofUsers(userIds)} group by ${by}`.execute(db)
  return rows.map((row) => rowOf(table, row))
}

/** The stored sums of an hour or a day. */
export async function readSums(db: Db, table: SumTable, { at, userIds }: SumsAt): Promise<readonly SumRow[]> {
  const { rows } =
    await sql<Columns>`select ${refs(keyColumns(table))}, ${refs(SUMS)} from ${sql.table(table)}
    where hour_at = ${at}${ofUsers(userIds)}`.execute(db)
  return rows.map((row) => rowOf(table, row))
}

function ofUsers(userIds: SumsAt['userIds']) {
  return userIds ? sql` and user_id in (${sql.join(userIds)})` : sql``
}

type Columns = Readonly<Record<string, string | number | bigint>>

function rowOf(table: SumTable, row: Columns): SumRow {
  return { key: keyOf(table, row), sums: SUMS.map((name) => BigInt(row[name] ?? 0)) }
}

function keyOf(table: SumTable, row: Readonly<Record<string, unknown>>): SumRow['key'] {
  return keyColumns(table).map((name) => (NUMBERS.has(name) ? Number(row[name]) : String(row[name])))
}

export function refs(names: readonly string[]) {
  return sql.join(names.map((name) => sql.ref(name)))
}
