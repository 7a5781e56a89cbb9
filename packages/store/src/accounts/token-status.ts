import { TOKEN_STATUS } from '@tollgate/kit/codes'
import type { Db } from '../tables/schema.ts'

/**
 * Marks an enabled token as expired (3) or exhausted (4). Returns false when it was not enabled or does not
 * exist.
 */
export async function markToken(db: Db, { id, status }: { id: number; status: 3 | 4 }): Promise<boolean> {
  const result = await db
    .updateTable('tokens')
    .set({ status })
    .where('id', '=', id)
    .where('status', '=', TOKEN_STATUS.enabled)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
