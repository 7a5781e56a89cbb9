import { setTimeout as sleep } from 'node:timers/promises'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Clock } from '@tollgate/kit/clock'
import type { KeyRenewal } from '@tollgate/providers/sign/renewal'
import { channelKeyHash, succeedKey } from '@tollgate/store/channel-keys'
import { channelKeyContext, findChannel } from '@tollgate/store/channels'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'

/** The keys of a channel as they are stored: one a line. */

export interface StoredKeyParts {
  readonly db: Kysely<Database>
  readonly cipher: Pick<Cipher, 'encrypt' | 'decrypt'>
  readonly clock: Clock
  readonly log: StoredKeyLog
}

export interface StoredKeyLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** A key, or what has followed it since; `undefined` when the channel has neither. */
export async function keyNow(
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

/** What is not on disk after so many tries is lost: a quarter of an hour. */
const WRITES_MAX = 1_800
const PAUSE_MS = 500

/**
 * Puts a key in the place of another one, whatever else is edited meanwhile; false when that one is there no more. The old
 * key may be worthless, so a database that is away is waited for. Throws when it stays away.
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
      parts.log.error({ error, channelId }, 'a renewed key could not be written; it is tried again')
      if (write >= WRITES_MAX) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** `undefined`: something else was written at the same moment. */
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
  const isStored = await succeedKey(db, {
    channelId,
    encryptedBefore: row.key_sealed,
    sealed: cipher.encrypt(keys.with(place, to).join('\n'), context),
    preview: row.key_preview,
    hashes: { from: channelKeyHash(channelId, from), to: channelKeyHash(channelId, to) },
    nowMs: clock.nowMs(),
  })
  return isStored || undefined
}
