import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Kysely,
  type SqlBool,
  sql,
} from 'kysely'
import type { ChannelSecretColumn, ChannelSecrets } from './secrets.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { insertedId } from '../database/inserted-id.ts'
import type { Page } from '../database/page.ts'
import type { ChannelTable, Database, TestOutcome } from '../tables/schema.ts'
import { containsPattern } from '../database/traits.ts'

/** A channel with the quota that was billed through it. */
export type ChannelRow = NonNullable<Awaited<ReturnType<typeof findChannel>>>

/** The context string that binds an encrypted key to its channel. */
export function channelKeyContext(id: number): string {
  return `channel:${id}`
}

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

export function listChannels(db: Kysely<Database>, filter: ChannelFilter, page: Page & ChannelOrder) {
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

export async function countChannels(db: Kysely<Database>, filter: ChannelFilter): Promise<number> {
  const row = await db
    .selectFrom('channels')
    .select((select) => select.fn.countAll().as('rows'))
    .where((where) => matches(where, filter))
    .executeTakeFirstOrThrow()
  return Number(row.rows)
}

/** One page of the tags in use, ordered by name. */
export async function listChannelTags(
  db: Kysely<Database>,
  filter: ChannelFilter,
  page: Page,
): Promise<string[]> {
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

export async function countChannelTags(db: Kysely<Database>, filter: ChannelFilter): Promise<number> {
  const row = await db
    .selectFrom('channels')
    .select((select) => select.fn.count('channels.tag').distinct().as('rows'))
    .where('channels.tag', '<>', '')
    .where((where) => matches(where, filter))
    .executeTakeFirstOrThrow()
  return Number(row.rows)
}

export function findChannel(db: Kysely<Database>, id: number) {
  return selectChannels(db).where('channels.id', '=', id).executeTakeFirst()
}

/** Ids and encrypted keys of the channels with this key preview: candidates for a search by key. */
export function findChannelKeysByPreview(db: Kysely<Database>, keyPreview: string) {
  return db
    .selectFrom('channels')
    .select(['id', 'key_sealed'])
    .where('key_preview', '=', keyPreview)
    .limit(100)
    .execute()
}

/** Base URLs of the channels of a type that have a key: enabled channels first, then by ascending id. */
export function listAddressesOfType(db: Kysely<Database>, type: number) {
  return db
    .selectFrom('channels')
    .select(['id', 'base_url'])
    .where('type', '=', type)
    .where('key_preview', '<>', '')
    .orderBy(sql`case when status = ${CHANNEL_STATUS.enabled} then 0 else 1 end`)
    .orderBy('id')
    .execute()
}

/** Model lists of enabled channels, as stored. */
export async function enabledModelLists(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select('models')
    .distinct()
    .where('status', '=', CHANNEL_STATUS.enabled)
    .execute()
  return rows.map((row) => row.models)
}

/** Model lists of the channels of a tag, as stored. */
export async function modelListsOfTag(db: Kysely<Database>, tag: string): Promise<string[]> {
  const rows = await db.selectFrom('channels').select('models').distinct().where('tag', '=', tag).execute()
  return rows.map((row) => row.models)
}

export type NewChannel = Omit<
  Insertable<ChannelTable>,
  | 'id'
  | 'key_sealed'
  | ChannelSecretColumn
  | 'other_info'
  | 'balance'
  | 'balance_currency'
  | 'balance_updated_time'
  | TestColumn
  | 'version'
>

/** Columns that a channel test writes. */
type TestColumn =
  | 'response_time'
  | 'test_time'
  | 'test_outcome'
  | 'test_status'
  | 'test_message'
  | 'tested_model'

/** Columns whose encryption depends on the channel's id. */
export type EncryptedColumns = Pick<ChannelTable, 'key_sealed'> & Partial<ChannelSecrets>

/** A channel to insert; `encrypt` is called once its id is known. */
export interface ChannelInsert {
  readonly channel: NewChannel
  readonly encrypt: (id: number) => EncryptedColumns
}

/** Inserts all channels or none. Keys and other secrets are encrypted for the id that each channel got. */
export function insertChannels(db: Kysely<Database>, inserts: readonly ChannelInsert[]): Promise<number[]> {
  return inTransaction(db, async (transaction) => {
    const ids: number[] = []
    for (const { channel, encrypt } of inserts) {
      const insert = transaction.insertInto('channels').values({ ...channel, ...untouched })
      const id = await insertedId(transaction, { insert, returning: insert.returning('id') })
      await transaction.updateTable('channels').set(encrypt(id)).where('id', '=', id).execute()
      ids.push(id)
    }
    return ids
  })
}

export async function insertChannel(
  db: Kysely<Database>,
  channel: NewChannel,
  encrypt: (id: number) => EncryptedColumns,
): Promise<number> {
  const [id = 0] = await insertChannels(db, [{ channel, encrypt }])
  return id
}

const untouched = {
  key_sealed: '',
  header_override: '',
  param_override: '',
  setting: '',
  other_info: '',
  balance: 0,
  balance_currency: '',
  balance_updated_time: 0,
  response_time: 0,
  test_time: 0,
  test_outcome: '',
  test_status: 0,
  test_message: '',
  tested_model: '',
  version: 1,
} as const

export type ChannelChange = Partial<
  Omit<
    ChannelTable,
    'id' | 'version' | 'created_time' | TestColumn | 'balance' | 'balance_currency' | 'balance_updated_time'
  >
>

/** Increments the version. Returns false when the channel is gone or its version is not `version`. */
export async function updateChannel(
  db: Kysely<Database>,
  input: { id: number; version: number; change: ChannelChange },
): Promise<boolean> {
  const result = await db
    .updateTable('channels')
    .set({ ...input.change, version: input.version + 1 })
    .where('id', '=', input.id)
    .where('version', '=', input.version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Applies one change to several channels and returns how many were updated. */
export async function updateChannels(
  db: Kysely<Database>,
  which: { readonly ids: readonly number[] } | { readonly tag: string },
  change: ChannelChange,
): Promise<number> {
  const result = await db
    .updateTable('channels')
    .set({ ...change, version: sql<number>`version + 1` })
    .where((where) => ('tag' in which ? where('tag', '=', which.tag) : where('id', 'in', [...which.ids])))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Stores the outcome of a test. A test is a measurement, not an edit, so the version stays. */
export async function recordChannelTest(
  db: Kysely<Database>,
  { id, ...test }: Pick<ChannelTable, TestColumn> & { readonly id: number },
): Promise<void> {
  await db
    .updateTable('channels')
    .set({ ...test, test_message: shortened(test.test_message) })
    .where('id', '=', id)
    .execute()
}

/** Size of the `test_message` column. */
export const TEST_MESSAGE_CHARACTERS = 255

function shortened(message: string): string {
  if (message.length <= TEST_MESSAGE_CHARACTERS) return message
  return `${message.slice(0, TEST_MESSAGE_CHARACTERS - 1).toWellFormed()}…`
}

/** Stores the balance that the upstream reported. This is not an edit either, so the version stays. */
export async function recordChannelBalance(
  db: Kysely<Database>,
  input: { id: number; balance: number; currency: string; updatedTime: number },
): Promise<void> {
  await db
    .updateTable('channels')
    .set({
      balance: input.balance,
      balance_currency: input.currency,
      balance_updated_time: input.updatedTime,
    })
    .where('id', '=', input.id)
    .execute()
}

/** Also deletes the state of their keys. */
export function removeChannels(db: Kysely<Database>, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return Promise.resolve(0)
  return inTransaction(db, async (transaction) => {
    await transaction
      .deleteFrom('channel_keys')
      .where('channel_id', 'in', [...ids])
      .execute()
    const result = await transaction
      .deleteFrom('channels')
      .where('id', 'in', [...ids])
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  })
}

/** Every channel, highest priority first. */
export function listChannelsInOrder(db: Kysely<Database>) {
  return db
    .selectFrom('channels')
    .select(['id', 'name', 'type', 'status', 'auto_ban'])
    .orderBy('priority', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Channels that were disabled by hand or automatically. `other_info` contains the time where it is known. */
export function listDisabledChannels(db: Kysely<Database>) {
  return db
    .selectFrom('channels')
    .select(['id', 'name', 'status', 'other_info'])
    .where('status', 'in', [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled])
    .orderBy('id')
    .execute()
}

function selectChannels(db: Kysely<Database>) {
  return db
    .selectFrom('channels')
    .leftJoin('totals', (join) =>
      join.on('totals.subject', '=', sql<string>`concat('channel:', channels.id)`),
    )
    .selectAll('channels')
    .select('totals.used')
}

function matches(where: ExpressionBuilder<Database, 'channels'>, filter: ChannelFilter): Expression<SqlBool> {
  const all: Expression<SqlBool>[] = []
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

function named(
  where: ExpressionBuilder<Database, 'channels'>,
  keyword: string,
  ids: readonly number[],
): Expression<SqlBool> {
  const tests: Expression<SqlBool>[] = [
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
function isInGroup(group: string): Expression<SqlBool> {
  return sql<boolean>`concat(',', channels.group_names, ',') like ${containsPattern(`,${group},`)} escape '!'`
}
