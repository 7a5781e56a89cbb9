import { channelKeyContext } from './channels.ts'
import type { Db } from '../tables/schema.ts'

/** A stored secret with the context string that it was encrypted with. */
export interface EncryptedSample {
  readonly sealed: string
  readonly context: string
}

const SEALED = 'v1.%'

/**
 * Returns the first and the last stored secret of each kind. If the configured key decrypts these, it is the
 * right key for the database.
 */
export async function listEncryptedSamples(db: Db): Promise<readonly EncryptedSample[]> {
  const samples: EncryptedSample[] = []
  for (const order of ['asc', 'desc'] as const)
    samples.push(
      ...(await channelSamples(db, order)),
      ...(await tokenSamples(db, order)),
      ...(await optionSamples(db, order)),
    )
  return samples
}

type Order = 'asc' | 'desc'

async function channelSamples(db: Db, order: Order): Promise<EncryptedSample[]> {
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'key_sealed'])
    .where('key_sealed', 'like', SEALED)
    .orderBy('id', order)
    .limit(1)
    .execute()
  return rows.map((row) => ({ sealed: row.key_sealed, context: channelKeyContext(row.id) }))
}

async function tokenSamples(db: Db, order: Order): Promise<EncryptedSample[]> {
  const rows = await db
    .selectFrom('tokens')
    .select(['key_hash', 'key_sealed'])
    .where('key_sealed', 'like', SEALED)
    .orderBy('id', order)
    .limit(1)
    .execute()
  return rows.map((row) => ({ sealed: row.key_sealed, context: `token:${row.key_hash}` }))
}

async function optionSamples(db: Db, order: Order): Promise<EncryptedSample[]> {
  const rows = await db
    .selectFrom('options')
    .select(['key', 'value'])
    .where('value', 'like', SEALED)
    .orderBy('updated_ms', order)
    .limit(1)
    .execute()
  return rows.map((row) => ({ sealed: row.value, context: `option:${row.key}` }))
}
