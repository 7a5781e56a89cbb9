import { insertAudit } from './audit-log.ts'
import type { NewAudit } from './audit-log.ts'
import type { Db } from '../tables/schema.ts'
import { type NewUser, insertUser } from './user-changes.ts'

/** The table has only this row; its primary key prevents a second setup. */
const ROW_ID = 1

export async function isSetUp(db: Db): Promise<boolean> {
  return (await db.selectFrom('setups').select('id').executeTakeFirst()) !== undefined
}

export interface SetupWrite {
  readonly version: string
  readonly nowMs: number
  /** `undefined` when a super admin already exists. */
  readonly root: NewUser | undefined
  readonly options: Readonly<Record<string, string>>
  readonly audit: NewAudit
}

/**
 * Writes the whole setup or nothing, and returns the id of the new super admin. Throws the engine's unique
 * violation when another request has completed the setup first.
 */
export function writeSetup(db: Db, write: SetupWrite): Promise<number | undefined> {
  return db.transaction().execute(async (transaction) => {
    const { nowMs } = write
    const initializedAt = Math.floor(nowMs / 1000)
    await transaction
      .insertInto('setups')
      .values({ id: ROW_ID, version: write.version, initialized_at: initializedAt })
      .execute()
    const rootId = write.root && (await insertUser(transaction, write.root))
    const rows = Object.entries(write.options).map(([key, value]) => {
      return { key, value, version: 1, updated_ms: nowMs, updated_by: rootId ?? 0 }
    })
    await transaction.deleteFrom('options').where('key', 'in', Object.keys(write.options)).execute()
    await transaction.insertInto('options').values(rows).execute()
    await insertAudit(transaction, { ...write.audit, entity_id: String(rootId ?? '') })
    return rootId
  })
}

/** Id of the super admin that the setup created, from its audit row; `undefined` when it created none. */
export async function findSetupRoot(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select('entity_id')
    .where('action', '=', SETUP_ACTION)
    .where('entity', '=', 'user')
    .executeTakeFirst()
  return row && row.entity_id !== '' ? Number(row.entity_id) : undefined
}

export const SETUP_ACTION = 'setup'
