import type { Database } from '@tollgate/store/tables/schema'
import type { Kysely } from 'kysely'
import type { AccountId } from './account.ts'

/** Accounts of which something is set aside for the process. */
export async function readAllottedAccounts(
  db: Kysely<Database>,
  instanceId: string,
): Promise<readonly AccountId[]> {
  const rows = await db
    .selectFrom('allotment')
    .select('account_id')
    .where('instance_id', '=', instanceId)
    .where((is) => is.or([is('amount', '>', 0n), is('budget_amount', '>', 0n)]))
    .execute()
  return rows.map((row) => row.account_id)
}
