import { type Expression, type Kysely, type SqlBool, expressionBuilder, sql } from 'kysely'
import { type LogFilter, nameMatches } from './logs.ts'
import type { Database } from './schema.ts'
import { floorDay, usageDaysThrough } from './usage-days.ts'
import {
  DAY_SECONDS,
  type DayTable,
  HOUR_SECONDS,
  type HourTable,
  NAME_CHARACTERS_MAX,
} from './usage-folds.ts'
import { usageGroupsThrough } from './usage-groups.ts'
import { ceilHour, floorHour, usageFrozen, usageThrough } from './usage-roll-up.ts'

/** Of a range this long, with no whole hour in it or hours that are not summed yet, all rows are read. */
const BRIEF_SECONDS = 2 * HOUR_SECONDS

/** Where the answer about a range of the usage log is to be read: summed days, summed hours around them, rows at the edges. */
export interface UsageParts {
  /** None when no whole hour of the range is summed, or the filter asks for what sums do not know. */
  readonly summed: readonly SummedSpan[]
  readonly rows: readonly RowRange[]
}

/** What a filter has to say more to find the rows of a part. Inclusive seconds. */
export interface RowRange {
  readonly from: number | undefined
  readonly until: number | undefined
  readonly isBrief: boolean
}

export interface SummedSpan {
  readonly table: HourTable | DayTable
  /** The first second. */
  readonly from: number
  /** The second after the last one. */
  readonly before: number
}

export type UsageKey = 'model' | 'token' | 'channel' | 'user' | 'group'

export function isOwnerKey(by: UsageKey): boolean {
  return by === 'token' || by === 'user'
}

export interface UsageStep {
  readonly seconds: number
  /** Added to a time before it is cut, so that a day begins at somebody's midnight. */
  readonly shiftSeconds: number
}

export interface UsageDetail {
  readonly by?: UsageKey
  /** The whole range when there is none. */
  readonly step?: UsageStep
}

export async function partsOf(
  db: Kysely<Database>,
  filter: LogFilter,
  detail: UsageDetail = {},
): Promise<UsageParts> {
  const { from, until } = filter
  const isBrief = from !== undefined && until !== undefined && until - from < BRIEF_SECONDS
  const whole = { summed: [], rows: [{ from, until, isBrief }] }
  if (filter.requestId !== undefined || filter.beforeId !== undefined || hasCutName(filter)) return whole
  const [through, frozen] = await Promise.all([usageThrough(db), usageFrozen(db)])
  const first = firstHour(from, frozen)
  const before = until === undefined ? through : Math.min(floorHour(until + 1), through)
  if (first >= before) return whole
  return {
    summed: await spansOf(db, { from: first, before, tables: tablesFor(filter, detail.by), detail }),
    rows: [
      ...(from !== undefined && from < first ? [{ from, until: first - 1, isBrief: true }] : []),
      ...(until === undefined || until >= before ? [{ from: before, until, isBrief: true }] : []),
    ],
  }
}

/** Of a name that may be longer, sums know the beginning alone. */
function hasCutName({ username, tokenName, modelName, group }: LogFilter): boolean {
  return [username, tokenName, modelName, group].some((name = '') => name.length >= NAME_CHARACTERS_MAX)
}

/** An hour that is cut has to be read row by row; when its rows are gone, it counts whole. */
function firstHour(from: number | undefined, frozen: number): number {
  if (from === undefined) return 0
  return floorHour(from) < frozen ? floorHour(from) : ceilHour(from)
}

/** Where the sums of a kind are, by the hour and by the day. */
interface Tables {
  readonly hours: HourTable
  readonly days?: DayTable
}

interface SpansInput {
  readonly from: number
  readonly before: number
  readonly tables: Tables
  readonly detail: UsageDetail
}

async function spansOf(db: Kysely<Database>, input: SpansInput): Promise<readonly SummedSpan[]> {
  const { from, before, tables, detail } = input
  const isSummed = tables.hours !== 'usage_owner_groups' || before <= (await usageGroupsThrough(db))
  if (!isSummed) return [{ table: 'usage_cells', from, before }]
  const { hours: table, days } = tables
  if (!days || !isOfDays(detail)) return [{ table, from, before }]
  const firstDay = floorDay(from + DAY_SECONDS - 1)
  const afterDays = Math.min(floorDay(before), await usageDaysThrough(db, days))
  if (firstDay >= afterDays) return [{ table, from, before }]
  const spans = [
    { table, from, before: firstDay },
    { table: days, from: firstDay, before: afterDays },
    { table, from: afterDays, before },
  ]
  return spans.filter((span) => span.from < span.before)
}

/** Hours are not made of days; days that begin elsewhere are, see `usage-shifts.ts`. */
function isOfDays({ step }: UsageDetail): boolean {
  return !step || step.seconds % DAY_SECONDS === 0
}

/** The narrowest tables that know what is asked for. */
function tablesFor(filter: LogFilter, by?: UsageKey): Tables {
  const isOwner = asksOwner(filter) || (by !== undefined && isOwnerKey(by))
  const parts = ROUTE_KEYS.filter((key) => key === by || asksFor(filter)[key] !== undefined)
  const [part] = parts
  if (!isOwner) return { hours: 'usage_routes', days: 'usage_route_days' }
  if (part === undefined) return { hours: 'usage_owners', days: 'usage_owner_days' }
  return parts.length > 1 ? { hours: 'usage_cells' } : PAIRS[part]
}

const ROUTE_KEYS = ['model', 'group', 'channel'] as const

/** By users and tokens, of one thing that calls differ in beside those. */
const PAIRS: Readonly<Record<(typeof ROUTE_KEYS)[number], Tables>> = {
  model: { hours: 'usage_cells', days: 'usage_owner_model_days' },
  group: { hours: 'usage_owner_groups', days: 'usage_owner_group_days' },
  channel: { hours: 'usage_cells', days: 'usage_owner_channel_days' },
}

function asksFor({ modelName, group, channelId }: LogFilter) {
  return { model: modelName, group, channel: channelId }
}

/** By users or tokens, of all of them: few rows have the sum, and many what it is made of. */
export function isOfAllOwners(filter: LogFilter, by: UsageKey): boolean {
  return isOwnerKey(by) && !asksOwner(filter)
}

function asksOwner({ userId, userIds, username, tokenName }: LogFilter): boolean {
  return [userId, userIds, username, tokenName].some((part) => part !== undefined)
}

/** Written for the widest table; only columns that the chosen one has are asked for. */
export function spanMatches(filter: LogFilter, span: SummedSpan): Expression<SqlBool> {
  const where = expressionBuilder<Database, 'usage_cells'>()
  const all: Expression<SqlBool>[] = [where('hour_at', '>=', span.from), where('hour_at', '<', span.before)]
  if (filter.userId !== undefined) all.push(where('user_id', '=', filter.userId))
  if (filter.userIds !== undefined) all.push(where('user_id', 'in', filter.userIds))
  if (filter.type !== undefined) all.push(where('type', '=', filter.type))
  if (filter.types !== undefined) all.push(where('type', 'in', filter.types))
  if (filter.username !== undefined) all.push(where('username', '=', filter.username))
  if (filter.tokenName !== undefined) all.push(where('token_name', '=', filter.tokenName))
  if (filter.modelName !== undefined) all.push(nameMatches(sql.ref('model_name'), filter.modelName))
  if (filter.group !== undefined) all.push(where('group_name', '=', filter.group))
  if (filter.channelId !== undefined) all.push(where('channel_id', '=', filter.channelId))
  return where.and(all)
}
