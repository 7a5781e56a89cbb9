import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { type Insertable, sql } from 'kysely'
import type { ChannelSecretColumn, ChannelSecrets } from './secrets.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { insertedId } from '../database/inserted-id.ts'
import type { ChannelTable } from '../tables/channels.ts'
import type { Db } from '../tables/schema.ts'

/** A channel with the quota that was billed through it. */
export type ChannelRow = NonNullable<Awaited<ReturnType<typeof findChannel>>>

/** The context string that binds an encrypted key to its channel. */
export function channelKeyContext(id: number): string {
  return `channel:${id}`
}

export function findChannel(db: Db, id: number) {
  return selectChannels(db).where('channels.id', '=', id).executeTakeFirst()
}

/** Ids and encrypted keys of the channels with this key preview: candidates for a search by key. */
export function findChannelKeysByPreview(db: Db, keyPreview: string) {
  return db
    .selectFrom('channels')
    .select(['id', 'key_sealed'])
    .where('key_preview', '=', keyPreview)
    .limit(100)
    .execute()
}

/** Base URLs of the channels of a type that have a key: enabled channels first, then by ascending id. */
export function listAddressesOfType(db: Db, type: number) {
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
export async function enabledModelLists(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select('models')
    .distinct()
    .where('status', '=', CHANNEL_STATUS.enabled)
    .execute()
  return rows.map((row) => row.models)
}

/** Model lists of the channels of a tag, as stored. */
export async function modelListsOfTag(db: Db, tag: string): Promise<string[]> {
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
export function insertChannels(db: Db, inserts: readonly ChannelInsert[]): Promise<number[]> {
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
  db: Db,
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
  db: Db,
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
  db: Db,
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
  db: Db,
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
  db: Db,
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
export function removeChannels(db: Db, ids: readonly number[]): Promise<number> {
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
export function listChannelsInOrder(db: Db) {
  return db
    .selectFrom('channels')
    .select(['id', 'name', 'type', 'status', 'auto_ban', 'other_info', 'test_time', 'test_outcome'])
    .orderBy('priority', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Channels that were disabled by hand or automatically. `other_info` contains the time where it is known. */
export function listDisabledChannels(db: Db) {
  return db
    .selectFrom('channels')
    .select(['id', 'name', 'status', 'other_info'])
    .where('status', 'in', [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled])
    .orderBy('id')
    .execute()
}

export function selectChannels(db: Db) {
  return db
    .selectFrom('channels')
    .leftJoin('totals', (join) =>
      join.on('totals.subject', '=', sql<string>`concat('channel:', channels.id)`),
    )
    .selectAll('channels')
    .select('totals.used')
}

/** Enabled channels whose last known balance at the upstream is low. */
export function listBalances(db: Db, { below, limit }: { readonly below: number; readonly limit: number }) {
  return db
    .selectFrom('channels')
    .select(['id', 'name', 'balance', 'balance_currency'])
    .where('status', '=', 1)
    .where('balance_updated_time', '>', 0)
    .where('balance', '<', below)
    .orderBy('id')
    .limit(limit)
    .execute()
}
