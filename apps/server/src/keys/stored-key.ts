import { setTimeout as sleep } from 'node:timers/promises'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Clock } from '@tollgate/kit/clock'
import type { KeyRenewal } from '@tollgate/providers/sign/renewal'
import { channelKeyHash, replaceKey } from '@tollgate/store/channels/keys'
import { channelKeyContext, findChannel } from '@tollgate/store/channels/channels'
import type { Db } from '@tollgate/store/tables/schema'

/** Access to the stored keys of a channel: one key per line. */

export interface StoredKeyParts {
  readonly db: Db
  readonly cipher: Pick<Cipher, 'encrypt' | 'decrypt'>
  readonly clock: Clock
  readonly log: StoredKeyLog
}

export interface StoredKeyLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** The given key, or the key that has replaced it since; `undefined` when the channel has neither. */
export async function currentKey(
  channelId: number,
  { key, renewal }: { readonly key: string; readonly renewal: KeyRenewal },
  { db, cipher }: StoredKeyParts,
): Promise<string | undefined> {
  const row = await findChannel(db, channelId)
  if (row === undefined) return undefined
  const keys = cipher.decrypt(row.key_sealed, channelKeyContext(channelId)).split('\n')
  if (keys.includes(key)) return key
  const holder = renewal.holderOf(key)
  return holder === '' ? undefined : keys.find((each) => renewal.holderOf(each) === holder)
}

/** After this many tries, a quarter of an hour, a refreshed key that could not be written is lost. */
const WRITES_MAX = 1_800
const PAUSE_MS = 500

/**
 * Replaces a stored key by its successor while other fields of the channel may be edited; false when the key
 * is no longer there. The old key may already be invalid, so an unavailable database is retried. Throws when
 * it stays unavailable.
 */
export async function storeSuccessor(
  channelId: number,
  keys: { readonly from: string; readonly to: string },
  parts: StoredKeyParts,
): Promise<boolean> {
  for (let write = 1; ; write++) {
    try {
      const isStored = await tryToStore(channelId, keys, parts)
      if (isStored !== undefined) return isStored
    } catch (error) {
      parts.log.error({ error, channelId }, 'could not store a refreshed key; trying again')
      if (write >= WRITES_MAX) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** `undefined` when another writer changed the row at the same moment. */
async function tryToStore(
  channelId: number,
  { from, to }: { readonly from: string; readonly to: string },
  { db, cipher, clock }: StoredKeyParts,
): Promise<boolean | undefined> {
  const row = await findChannel(db, channelId)
  if (row === undefined) return false
  const context = channelKeyContext(channelId)
  const keys = cipher.decrypt(row.key_sealed, context).split('\n')
  const place = keys.indexOf(from)
  if (place === -1) return false
  const isStored = await replaceKey(db, {
    channelId,
    encryptedBefore: row.key_sealed,
    sealed: cipher.encrypt(keys.with(place, to).join('\n'), context),
    preview: row.key_preview,
    hashes: { from: channelKeyHash(channelId, from), to: channelKeyHash(channelId, to) },
    nowMs: clock.nowMs(),
  })
  return isStored || undefined
}
