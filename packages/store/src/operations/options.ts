import { inTransaction } from '../database/in-transaction.ts'
import type { Db } from '../tables/schema.ts'
import { engineOf, isUniqueViolation } from '../database/traits.ts'

export interface StoredOption {
  readonly key: string
  readonly value: string
  readonly version: number
}

export function listOptions(db: Db): Promise<StoredOption[]> {
  return db.selectFrom('options').select(['key', 'value', 'version']).orderBy('key').execute()
}

export function findOption(db: Db, key: string): Promise<StoredOption | undefined> {
  return db
    .selectFrom('options')
    .select(['key', 'value', 'version'])
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Removes settings that no longer exist. */
export async function removeOptions(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('options').where('key', 'in', keys).execute()
}

export interface OptionWrite {
  readonly key: string
  readonly value: string
  /** The text that the history stores in place of the value, so that secrets stay hidden. */
  readonly shownValue: string
  readonly shownBefore: (before: string) => string
  readonly nowMs: number
  readonly actorId: number
  /** The version that the change was based on; 0 when nothing was stored. */
  readonly expectedVersion?: number
}

/**
 * Stores the value with the next version and a history row in one transaction. Returns false and writes
 * nothing when the stored version is not the expected one. In a transaction it throws the engine's unique
 * violation if another node inserted the option for the first time at the same moment; the caller then
 * repeats the transaction.
 */
export async function writeOption(db: Db, write: OptionWrite): Promise<boolean> {
  return writeOnce(db, write).catch((error: unknown) => {
    if (db.isTransaction || !isUniqueViolation(error)) throw error
    return writeOnce(db, write)
  })
}

function writeOnce(db: Db, write: OptionWrite): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const before = await transaction
      .selectFrom('options')
      .select(['value', 'version'])
      .where('key', '=', write.key)
      .$if(engineOf(db) !== 'sqlite', (query) => query.forUpdate())
      .executeTakeFirst()
    const stored = before?.version ?? 0
    if (write.expectedVersion !== undefined && write.expectedVersion !== stored) return false
    const version = stored + 1
    await replaceOption(transaction, { write, version, isNew: before === undefined })
    await transaction
      .insertInto('option_changes')
      .values({
        key: write.key,
        before_value: before ? write.shownBefore(before.value) : null,
        after_value: write.shownValue,
        version,
        changed_ms: write.nowMs,
        changed_by: write.actorId,
      })
      .execute()
    return true
  })
}

async function replaceOption(
  db: Db,
  { write, version, isNew }: { write: OptionWrite; version: number; isNew: boolean },
): Promise<void> {
  const row = { value: write.value, version, updated_ms: write.nowMs, updated_by: write.actorId }
  if (isNew)
    await db
      .insertInto('options')
      .values({ key: write.key, ...row })
      .execute()
  else await db.updateTable('options').set(row).where('key', '=', write.key).execute()
}
