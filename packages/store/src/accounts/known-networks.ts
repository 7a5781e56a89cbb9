import type { Db } from '../tables/schema.ts'
import { isInserted } from '../database/insert-unless-known.ts'

/** A network is remembered for this long after the last sign-in from it. */
export const NETWORK_KEPT_MS = 90 * 86_400_000

/** Networks are identified by keyed hashes; the caller has the key. */
export interface KnownNetwork {
  readonly userId: number
  readonly networkHash: string
}

export async function hasKnownNetwork(
  db: Db,
  { userId, networkHash, sinceMs }: KnownNetwork & { readonly sinceMs: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('known_networks')
    .select('user_id')
    .where('network_hash', '=', networkHash)
    .where('user_id', '=', userId)
    .where('seen_ms', '>', sinceMs)
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps the `keptMax` most recently used networks of a user. */
export async function noteKnownNetwork(
  db: Db,
  {
    userId,
    networkHash,
    nowMs,
    keptMax,
  }: KnownNetwork & { readonly nowMs: number; readonly keptMax: number },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('known_networks')
    .set({ seen_ms: nowMs })
    .where('network_hash', '=', networkHash)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  // Another sign-in may have just inserted the same network.
  const row = { network_hash: networkHash, user_id: userId, seen_ms: nowMs }
  await isInserted(db.insertInto('known_networks').values(row).execute())
  await removeOldest(db, { userId, keptMax })
}

async function removeOldest(db: Db, { userId, keptMax }: { userId: number; keptMax: number }): Promise<void> {
  const rows = await db
    .selectFrom('known_networks')
    .select('network_hash')
    .where('user_id', '=', userId)
    .orderBy('seen_ms', 'desc')
    .execute()
  const hashes = rows.slice(keptMax).map((row) => row.network_hash)
  if (hashes.length > 0) await db.deleteFrom('known_networks').where('network_hash', 'in', hashes).execute()
}

export async function removeOldNetworks(db: Db, beforeMs: number): Promise<void> {
  await db.deleteFrom('known_networks').where('seen_ms', '<', beforeMs).execute()
}
