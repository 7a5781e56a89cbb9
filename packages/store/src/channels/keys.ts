import { createHash } from 'node:crypto'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { sql } from 'kysely'
import { insertUnlessKnown } from '../database/insert-unless-known.ts'
import type { Db } from '../tables/schema.ts'

/** State of channel keys. A key is identified by its hash; a key without a row is enabled and unused. */

export interface KeysOfChannel {
  readonly channelId: number
  readonly hashes: readonly string[]
}

const AT_ONCE = 500

/** Identifies a key within its channel: the same key has another hash in another channel. */
export function channelKeyHash(channelId: number, key: string): string {
  return createHash('sha256').update(`${channelId}:${key}`).digest('hex').slice(0, 32)
}

export function listChannelKeys(db: Db, channelId: number) {
  return db
    .selectFrom('channel_keys')
    .select(['key_hash', 'status', 'reason', 'status_ms', 'uses', 'last_used_ms'])
    .where('channel_id', '=', channelId)
    .execute()
}

/** All disabled keys of all channels. */
export function listDisabledKeys(db: Db) {
  return db
    .selectFrom('channel_keys')
    .select(['channel_id', 'key_hash'])
    .where('status', '<>', CHANNEL_STATUS.enabled)
    .execute()
}

export interface KeyStatus {
  readonly status: number
  readonly reason: string
  readonly nowMs: number
}

/** Sets the status of some keys of one channel. */
export async function setKeyStatus(
  db: Db,
  keys: KeysOfChannel,
  { status, reason, nowMs }: KeyStatus,
): Promise<void> {
  const { channelId, hashes } = keys
  await insertMissingKeys(db, keys)
  for (const some of slices(hashes))
    await db
      .updateTable('channel_keys')
      .set({ status, reason, status_ms: nowMs })
      .where('channel_id', '=', channelId)
      .where('key_hash', 'in', some)
      .execute()
}

/** Re-enables the automatically disabled keys of the given channels. */
export async function restoreKeys(
  db: Db,
  which: { readonly ids: readonly number[] } | { readonly tag: string },
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('channel_keys')
    .set({ status: CHANNEL_STATUS.enabled, reason: '', status_ms: nowMs })
    .where('status', '=', CHANNEL_STATUS.autoDisabled)
    .where('channel_id', 'in', (select) =>
      select
        .selectFrom('channels')
        .select('id')
        .where((where) =>
          'tag' in which ? where('tag', '=', which.tag) : where('id', 'in', [...which.ids]),
        ),
    )
    .execute()
}

export interface KeyUses {
  readonly channelId: number
  readonly hash: string
  readonly uses: number
  readonly lastUsedMs: number
}

/** Adds the uses counted since the last call. */
export async function addKeyUses(db: Db, used: readonly KeyUses[]): Promise<void> {
  for (const [channelId, keys] of Map.groupBy(used, (key) => key.channelId))
    await insertMissingKeys(db, { channelId, hashes: keys.map(({ hash }) => hash) })
  for (const { channelId, hash, uses, lastUsedMs } of used)
    await db
      .updateTable('channel_keys')
      .set({ uses: sql<number>`uses + ${uses}`, last_used_ms: lastUsedMs })
      .where('channel_id', '=', channelId)
      .where('key_hash', '=', hash)
      .execute()
}

/** Deletes the state of keys that a channel no longer has. */
export async function deleteKeyStates(db: Db, keys: KeysOfChannel): Promise<void> {
  for (const some of slices(keys.hashes))
    await db
      .deleteFrom('channel_keys')
      .where('channel_id', '=', keys.channelId)
      .where('key_hash', 'in', some)
      .execute()
}

export interface KeyReplacement {
  readonly channelId: number
  /** The encrypted key text that was stored when the replacement was decided. */
  readonly encryptedBefore: string
  readonly sealed: string
  readonly preview: string
  /** Hashes of the key that is replaced and of its replacement. */
  readonly hashes: { readonly from: string; readonly to: string }
  readonly nowMs: number
}

/**
 * Replaces one key of a channel by another, for example after a credential refresh. The new key takes over
 * the state of the old one, except that an automatically disabled key becomes enabled and the reason is
 * cleared. This is not an edit, so the channel's version stays. Returns false and changes nothing when the
 * stored keys have changed meanwhile.
 */
export function replaceKey(db: Db, succession: KeyReplacement): Promise<boolean> {
  const { channelId, encryptedBefore, sealed, preview, hashes, nowMs } = succession
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('channels')
      .set({ key_sealed: sealed, key_preview: preview })
      .where('id', '=', channelId)
      .where('key_sealed', '=', encryptedBefore)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (hashes.from !== hashes.to) await deleteKeyStates(transaction, { channelId, hashes: [hashes.to] })
    await transaction
      .updateTable('channel_keys')
      .set({ key_hash: hashes.to, reason: '' })
      .where('channel_id', '=', channelId)
      .where('key_hash', '=', hashes.from)
      .execute()
    await transaction
      .updateTable('channel_keys')
      .set({ status: CHANNEL_STATUS.enabled, status_ms: nowMs })
      .where('channel_id', '=', channelId)
      .where('key_hash', '=', hashes.to)
      .where('status', '=', CHANNEL_STATUS.autoDisabled)
      .execute()
    return true
  })
}

/**
 * Stores a remark about a key for the operator, whatever the key's status. Returns false when the row already
 * has this remark.
 */
export async function noteKey(
  db: Db,
  { channelId, hash, note }: { readonly channelId: number; readonly hash: string; readonly note: string },
): Promise<boolean> {
  await insertMissingKeys(db, { channelId, hashes: [hash] })
  const { numUpdatedRows } = await db
    .updateTable('channel_keys')
    .set({ reason: note })
    .where('channel_id', '=', channelId)
    .where('key_hash', '=', hash)
    .where('reason', '<>', note)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function insertMissingKeys(db: Db, keys: KeysOfChannel): Promise<void> {
  const { channelId } = keys
  for (const some of slices(keys.hashes)) {
    const rows = await db
      .selectFrom('channel_keys')
      .select('key_hash')
      .where('channel_id', '=', channelId)
      .where('key_hash', 'in', some)
      .execute()
    const known = new Set(rows.map((row) => row.key_hash))
    const missing = some.filter((hash) => !known.has(hash))
    if (missing.length > 0) await insertKeys(db, { channelId, hashes: missing })
  }
}

/** Inserts all rows at once. If another process has just inserted one of them, inserts them one by one. */
async function insertKeys(db: Db, { channelId, hashes }: KeysOfChannel): Promise<void> {
  const insert = db.insertInto('channel_keys').values(hashes.map((hash) => newRow(channelId, hash)))
  if (await insertUnlessKnown(db, insert, ['channel_id', 'key_hash'])) return
  if (hashes.length > 1) for (const hash of hashes) await insertKeys(db, { channelId, hashes: [hash] })
}

function newRow(channelId: number, hash: string) {
  return {
    channel_id: channelId,
    key_hash: hash,
    status: CHANNEL_STATUS.enabled,
    reason: '',
    status_ms: 0,
    uses: 0,
    last_used_ms: 0,
  }
}

function slices<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, index) =>
    items.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )
}
