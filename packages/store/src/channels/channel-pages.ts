import { sql } from 'kysely'
import type { Condition, Where } from '../database/condition.ts'
import type { Page } from '../database/page.ts'
import type { Db } from '../tables/schema.ts'
import type { TestOutcome } from '../tables/channels.ts'
import { containsPattern } from '../database/traits.ts'
import { selectChannels } from './channels.ts'
import { countFound } from '../database/count-found.ts'

export interface ChannelFilter {
  /** Part of the name, or the exact id. */
  readonly keyword?: string | undefined
  /** Ids of channels that were found by their key; they are listed beside the ones found by `keyword`. */
  readonly keywordIds?: readonly number[] | undefined
  /** Matches one whole element of the list of groups. */
  readonly group?: string | undefined
  /** Matches any part of the list of models. */
  readonly model?: string | undefined
  readonly status?: number | undefined
  readonly type?: number | undefined
  readonly tags?: readonly string[] | undefined
  /** Outcome of the last test. */
  readonly testOutcome?: TestOutcome | undefined
}

export interface ChannelOrder {
  readonly byId: boolean
  /** Replaces the order by priority. Channels without a value come last in both directions. */
  readonly sort?: ChannelSort | undefined
}

export interface ChannelSort {
  readonly by: keyof typeof sorts
  readonly isDescending: boolean
}

const sorts = {
  used: { value: sql`coalesce(totals.used, 0)`, isKnown: sql`1 = 1` },
  balance: { value: sql`channels.balance`, isKnown: sql`channels.balance_updated_time > 0` },
  response: {
    value: sql`channels.response_time`,
    isKnown: sql`channels.test_time > 0 and channels.test_outcome <> 'failed'`,
  },
}

export function listChannels(db: Db, filter: ChannelFilter, page: Page & ChannelOrder) {
  const found = selectChannels(db).where((where) => matches(where, filter))
  return ordered(found, page).orderBy('channels.id', 'desc').limit(page.limit).offset(page.offset).execute()
}

function ordered(found: ReturnType<typeof selectChannels>, { sort, byId }: ChannelOrder) {
  if (sort === undefined) return byId ? found : found.orderBy('channels.priority', 'desc')
  const { value, isKnown } = sorts[sort.by]
  return found
    .orderBy(sql`case when ${isKnown} then 0 else 1 end`)
    .orderBy(value, sort.isDescending ? 'desc' : 'asc')
}

export function countChannels(db: Db, filter: ChannelFilter): Promise<number> {
  return countFound(db.selectFrom('channels').where((where) => matches(where, filter)))
}

/** One page of the tags in use, ordered by name. */
export async function listChannelTags(db: Db, filter: ChannelFilter, page: Page): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select('channels.tag')
    .distinct()
    .where('channels.tag', '<>', '')
    .where((where) => matches(where, filter))
    .orderBy('channels.tag')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map((row) => row.tag)
}

export async function countChannelTags(db: Db, filter: ChannelFilter): Promise<number> {
  const row = await db
    .selectFrom('channels')
    .select((select) => select.fn.count('channels.tag').distinct().as('rows'))
    .where('channels.tag', '<>', '')
    .where((where) => matches(where, filter))
    .executeTakeFirstOrThrow()
  return Number(row.rows)
}

function matches(where: Where<'channels'>, filter: ChannelFilter): Condition {
  const all: Condition[] = []
  if (filter.keyword !== undefined) all.push(named(where, filter.keyword, filter.keywordIds ?? []))
  if (filter.group !== undefined) all.push(isInGroup(filter.group))
  if (filter.model !== undefined)
    all.push(sql<boolean>`lower(channels.models) like lower(${containsPattern(filter.model)}) escape '!'`)
  if (filter.status !== undefined) all.push(where('channels.status', '=', filter.status))
  if (filter.type !== undefined) all.push(where('channels.type', '=', filter.type))
  if (filter.testOutcome !== undefined) all.push(where('channels.test_outcome', '=', filter.testOutcome))
  if (filter.tags !== undefined) all.push(where('channels.tag', 'in', [...filter.tags]))
  return where.and(all)
}

function named(where: Where<'channels'>, keyword: string, ids: readonly number[]): Condition {
  const tests: Condition[] = [
    sql<boolean>`lower(channels.name) like lower(${containsPattern(keyword)}) escape '!'`,
  ]
  if (/^\d{1,15}$/.test(keyword)) tests.push(where('channels.id', '=', Number(keyword)))
  if (ids.length > 0) tests.push(where('channels.id', 'in', [...ids]))
  return where.or(tests)
}

/**
 * Group lists are stored without spaces, so every element stands between two commas once the list is wrapped
 * in commas.
 */
function isInGroup(group: string): Condition {
  return sql<boolean>`concat(',', channels.group_names, ',') like ${containsPattern(`,${group},`)} escape '!'`
}
