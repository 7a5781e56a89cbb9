import { inTransaction } from '../database/in-transaction.ts'
import type { InstallationTable } from '../tables/operations.ts'
import type { Db } from '../tables/schema.ts'

/** Why a database counts as a copy of another one. */
export const COPY_CAUSES = ['restored', 'moved', 'imported', 'marked', 'other-installation'] as const
export type CopyCause = (typeof COPY_CAUSES)[number]

export type InstallationRow = Readonly<InstallationTable>

const CONFIRMED = { predecessor: '', unconfirmed_ms: 0, cause: '' }

export async function readInstallation(db: Db): Promise<InstallationRow | undefined> {
  const rows = await db.selectFrom('installation').selectAll().orderBy('id').execute()
  // A row that another process wrote at the same moment may stand beside ours.
  return rows.find(({ unconfirmed_ms: sinceMs }) => sinceMs > 0) ?? rows[0]
}

/** Records the first installation of this database. Returns what is recorded then, which may be another one's row. */
export async function recordInstallation(db: Db, id: string): Promise<InstallationRow> {
  const recorded = await readInstallation(db)
  if (recorded !== undefined) return recorded
  await db
    .insertInto('installation')
    .values({ id, ...CONFIRMED })
    .execute()
    .catch(() => undefined)
  return (await readInstallation(db)) ?? { id, ...CONFIRMED }
}

/** From now on the database counts as a copy, until a person confirms it. The first cause stays. */
export async function markCopy(
  db: Db,
  { cause, nowMs }: { readonly cause: CopyCause; readonly nowMs: number },
): Promise<void> {
  const change = { unconfirmed_ms: nowMs, cause }
  const { numUpdatedRows } = await db
    .updateTable('installation')
    .set(change)
    .where('unconfirmed_ms', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows > 0n || (await readInstallation(db)) !== undefined) return
  await db
    .insertInto('installation')
    .values({ id: '', predecessor: '', ...change })
    .execute()
}

/** The database belongs to this installation from now on. Returns false when it did so before. */
export async function confirmInstallation(db: Db, id: string): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const recorded = await readInstallation(transaction)
    if (recorded !== undefined && recorded.id === id && recorded.unconfirmed_ms === 0) return false
    await transaction.deleteFrom('installation').execute()
    const predecessor = recorded === undefined || recorded.id === id ? '' : recorded.id
    await transaction
      .insertInto('installation')
      .values({ ...CONFIRMED, id, predecessor })
      .execute()
    return true
  })
}
