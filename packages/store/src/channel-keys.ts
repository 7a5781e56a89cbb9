import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'
import { isUniqueViolation } from './traits.ts'

/** What is known of the keys of channels. A key is named by its hash; one without a row is enabled and unused. */

export interface KeysOfChannel {
  readonly channelId: number
  readonly hashes: readonly string[]
}

const AT_ONCE = 500

/** The name of a key: the same key has another one in another channel. */
export function channelKeyHash(channelId: number, key: string): string {
  return createHash('sha256').update(`${channelId}:${key}`).digest('hex').slice(0, 32)
}

export function listChannelKeys(db: Kysely<Database>, channelId: number) {
  return db
    .selectFrom('channel_keys')
    .select(['key_hash', 'status', 'reason', 'status_ms', 'uses', 'last_used_ms'])
    .where('channel_id', '=', channelId)
    .execute()
}

/** Of every channel, the keys that are out of the rotation. */
export function listDisabledKeys(db: Kysely<Database>) {
  return db.selectFrom('channel_keys').select(['channel_id', 'key_hash']).where('status', '<>', 1).execute()
}

export interface KeyStatus {
  readonly status: number
  readonly reason: string
  readonly nowMs: number
}

/** Sets the status of some keys of one channel. */
export async function setKeyStatus(
  db: Kysely<Database>,
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

/** Automatically disabled keys of these channels come back into the rotation. */
export async function restoreKeys(
  db: Kysely<Database>,
  which: { readonly ids: readonly number[] } | { readonly tag: string },
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('channel_keys')
    .set({ status: 1, reason: '', status_ms: nowMs })
    .where('status', '=', 3)
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

/** Adds what was used since the last time. */
export async function addKeyUses(db: Kysely<Database>, used: readonly KeyUses[]): Promise<void> {
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

/** What is known of keys that a channel has no longer. */
export async function forgetKeys(db: Kysely<Database>, keys: KeysOfChannel): Promise<void> {
  for (const some of slices(keys.hashes))
    await db
      .deleteFrom('channel_keys')
      .where('channel_id', '=', keys.channelId)
      .where('key_hash', 'in', some)
      .execute()
}

export interface KeySuccession {
  readonly channelId: number
  /** What was stored when this was decided. */
  readonly encryptedBefore: string
  readonly sealed: string
  readonly preview: string
  /** The key that ends and the one that follows it. */
  readonly hashes: { readonly from: string; readonly to: string }
  readonly nowMs: number
}

/**
 * Another key takes the place of one: what is known of the old one is known of it, but for a refusal. It is no edit, so the
 * version stays. False when something else is stored meanwhile: then nothing is changed.
 */
export function succeedKey(db: Kysely<Database>, succession: KeySuccession): Promise<boolean> {
  const { channelId, encryptedBefore, sealed, preview, hashes, nowMs } = succession
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('channels')
      .set({ key_sealed: sealed, key_preview: preview })
      .where('id', '=', channelId)
      .where('key_sealed', '=', encryptedBefore)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (hashes.from !== hashes.to) await forgetKeys(transaction, { channelId, hashes: [hashes.to] })
    await transaction
      .updateTable('channel_keys')
      .set({ key_hash: hashes.to, reason: '' })
      .where('channel_id', '=', channelId)
      .where('key_hash', '=', hashes.from)
      .execute()
    await transaction
      .updateTable('channel_keys')
      .set({ status: 1, status_ms: nowMs })
      .where('channel_id', '=', channelId)
      .where('key_hash', '=', hashes.to)
      .where('status', '=', 3)
      .execute()
    return true
  })
}

/** Something an operator should know of a key, whatever its status. False when it says so already. */
export async function noteKey(
  db: Kysely<Database>,
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

async function insertMissingKeys(db: Kysely<Database>, keys: KeysOfChannel): Promise<void> {
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

/** All at once; should another process have been faster with one of them, one by one. */
async function insertKeys(db: Kysely<Database>, { channelId, hashes }: KeysOfChannel): Promise<void> {
  try {
    await db
      .insertInto('channel_keys')
      .values(hashes.map((hash) => newRow(channelId, hash)))
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    if (hashes.length > 1) for (const hash of hashes) await insertKeys(db, { channelId, hashes: [hash] })
  }
}

function newRow(channelId: number, hash: string) {
  return {
    channel_id: channelId,
    key_hash: hash,
    status: 1,
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
