import type { Kysely } from 'kysely'
import { insertAudit } from './audit-log.ts'
import type { NewAudit } from './audit-log.ts'
import type { Database } from './schema.ts'
import { type NewUser, insertUser } from './users.ts'

/** The one row; its primary key is what makes a second setup impossible. */
const ROW_ID = 1

export async function isSetUp(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('setups').select('id').executeTakeFirst()) !== undefined
}

export interface SetupWrite {
  readonly version: string
  readonly nowMs: number
  /** `undefined` when a super admin exists already. */
  readonly root: NewUser | undefined
  readonly options: Readonly<Record<string, string>>
  readonly audit: NewAudit
}

/**
 * All of the first run or nothing. Throws the engine's unique violation when somebody else was first. Answers the id of
 * the new super admin.
 */
export function writeSetup(db: Kysely<Database>, write: SetupWrite): Promise<number | undefined> {
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

/** The super admin made by the setup, from its audit row; `undefined` when the setup made none. */
export async function findSetupRoot(db: Kysely<Database>): Promise<number | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select('entity_id')
    .where('action', '=', SETUP_ACTION)
    .where('entity', '=', 'user')
    .executeTakeFirst()
  return row && row.entity_id !== '' ? Number(row.entity_id) : undefined
}

export const SETUP_ACTION = 'setup'
