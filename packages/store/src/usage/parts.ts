import { expressionBuilder, sql } from 'kysely'
import type { Condition } from '../database/condition.ts'
import { type LogFilter, nameMatches } from '../logs/filter.ts'
import type { Database, Db } from '../tables/schema.ts'
import { floorDay, usageDaysThrough } from './days.ts'
import {
  DAY_SECONDS,
  type DayTable,
  HOUR_SECONDS,
  type HourTable,
  NAME_CHARACTERS_MAX,
} from './aggregation.ts'
import { usageGroupsThrough } from './groups.ts'
import { ceilHour, floorHour, usageFrozen, usageThrough } from './roll-up.ts'

/**
 * A range shorter than this counts as brief. All its rows are read if it contains no whole hour or its hours
 * are not summed yet.
 */
const BRIEF_SECONDS = 2 * HOUR_SECONDS

/**
 * The parts from which a result about a range of the usage log is read: summed days, summed hours around
 * them, and rows at the edges.
 */
export interface UsageParts {
  /**
   * Empty when no whole hour of the range is summed, or when the filter has a condition that the sums cannot
   * answer.
   */
  readonly summed: readonly SummedSpan[]
  readonly rows: readonly RowRange[]
}

/** The times of rows at an edge of the range, to be added to the filter. Inclusive, in seconds. */
export interface RowRange {
  readonly from: number | undefined
  readonly until: number | undefined
  readonly isBrief: boolean
}

export interface SummedSpan {
  readonly table: HourTable | DayTable
  /** First second of the span. */
  readonly from: number
  /** First second after the span. */
  readonly before: number
}

export type UsageKey = 'model' | 'token' | 'channel' | 'user' | 'group'

export function isOwnerKey(by: UsageKey): boolean {
  return by === 'token' || by === 'user'
}

export interface UsageStep {
  readonly seconds: number
  /** Added to a time before rounding it down, so that a day starts at midnight of another time zone. */
  readonly shiftSeconds: number
}

export interface UsageDetail {
  readonly by?: UsageKey
  /** Without a step, the whole range is one. */
  readonly step?: UsageStep
}

export async function partsOf(db: Db, filter: LogFilter, detail: UsageDetail = {}): Promise<UsageParts> {
  const { from, until } = filter
  const isBrief = from !== undefined && until !== undefined && until - from < BRIEF_SECONDS
  const whole = { summed: [], rows: [{ from, until, isBrief }] }
  if (filter.beforeId !== undefined || isOfRowsOnly(filter) || hasCutName(filter)) return whole
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

/** Whether the filter has a condition on a column that the sums do not have. */
function isOfRowsOnly({ requestId, upstreamRequestId, anyRequestId, session, client }: LogFilter): boolean {
  return [requestId, upstreamRequestId, anyRequestId, session, client].some((part) => part !== undefined)
}

/** The sums store only a prefix of long names. */
function hasCutName({ username, tokenName, modelName, group }: LogFilter): boolean {
  return [username, tokenName, modelName, group].some((name = '') => name.length >= NAME_CHARACTERS_MAX)
}

/**
 * An hour that lies only partly in the range is read row by row. If its rows are gone, it counts as a whole.
 */
function firstHour(from: number | undefined, frozen: number): number {
  if (from === undefined) return 0
  return floorHour(from) < frozen ? floorHour(from) : ceilHour(from)
}

/** The hourly and the daily table with the same sums. */
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

async function spansOf(db: Db, input: SpansInput): Promise<readonly SummedSpan[]> {
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

/** Days cannot be split into hours. Days that start at another hour are possible, see `usage-shifts.ts`. */
function isOfDays({ step }: UsageDetail): boolean {
  return !step || step.seconds % DAY_SECONDS === 0
}

/** The tables with the fewest columns that can answer the filter. */
function tablesFor(filter: LogFilter, by?: UsageKey): Tables {
  const isOwner = asksOwner(filter) || (by !== undefined && isOwnerKey(by))
  const parts = ROUTE_KEYS.filter((key) => key === by || asksFor(filter)[key] !== undefined)
  const [part] = parts
  if (!isOwner) return { hours: 'usage_routes', days: 'usage_route_days' }
  if (part === undefined) return { hours: 'usage_owners', days: 'usage_owner_days' }
  return parts.length > 1 ? { hours: 'usage_cells' } : PAIRS[part]
}

const ROUTE_KEYS = ['model', 'group', 'channel'] as const

/** Tables by user and token with one further key column. */
const PAIRS: Readonly<Record<(typeof ROUTE_KEYS)[number], Tables>> = {
  model: { hours: 'usage_cells', days: 'usage_owner_model_days' },
  group: { hours: 'usage_owner_groups', days: 'usage_owner_group_days' },
  channel: { hours: 'usage_cells', days: 'usage_owner_channel_days' },
}

function asksFor({ modelName, group, channelId }: LogFilter) {
  return { model: modelName, group, channel: channelId }
}

/**
 * Whether a series is grouped by user or token and not filtered by any. Its total then comes from few rows,
 * and its breakdown from many.
 */
export function isOfAllOwners(filter: LogFilter, by: UsageKey): boolean {
  return isOwnerKey(by) && !asksOwner(filter)
}

function asksOwner({ userId, userIds, username, tokenName, tokenId }: LogFilter): boolean {
  return [userId, userIds, username, tokenName, tokenId].some((part) => part !== undefined)
}

/** The types are those of the widest table; the condition uses only columns that the chosen table has. */
export function spanMatches(filter: LogFilter, span: SummedSpan): Condition {
  const where = expressionBuilder<Database, 'usage_cells'>()
  const all: Condition[] = [where('hour_at', '>=', span.from), where('hour_at', '<', span.before)]
  if (filter.userId !== undefined) all.push(where('user_id', '=', filter.userId))
  if (filter.userIds !== undefined) all.push(where('user_id', 'in', filter.userIds))
  if (filter.type !== undefined) all.push(where('type', '=', filter.type))
  if (filter.types !== undefined) all.push(where('type', 'in', filter.types))
  if (filter.username !== undefined) all.push(where('username', '=', filter.username))
  if (filter.tokenName !== undefined) all.push(where('token_name', '=', filter.tokenName))
  if (filter.tokenId !== undefined) all.push(where('token_id', '=', filter.tokenId))
  if (filter.modelName !== undefined) all.push(nameMatches(sql.ref('model_name'), filter.modelName))
  if (filter.group !== undefined) all.push(where('group_name', '=', filter.group))
  if (filter.channelId !== undefined) all.push(where('channel_id', '=', filter.channelId))
  return where.and(all)
}
