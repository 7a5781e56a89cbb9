import type { Database } from '@tollgate/store/tables/schema'
import type { Kysely } from 'kysely'
import type { AccountId } from './account.ts'
import type { AllotmentAnswer, AllotmentQuestion } from './core/storage.ts'

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

/** Only over SQLite, where a reader sees everything that was answered before. */
export async function readOwnAllotments(
  db: Kysely<Database>,
  { accounts, fileId }: AllotmentQuestion,
  instanceId: string,
): Promise<AllotmentAnswer> {
  const journal = await db
    .selectFrom('journal')
    .select('position')
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('allotment')
    .select(['account_id', 'amount', 'budget_since_ms', 'budget_amount'])
    .where('instance_id', '=', instanceId)
    .where('account_id', 'in', accounts)
    .execute()
  return {
    position: journal?.position ?? 0,
    rows: rows.map((row) => ({
      account: row.account_id,
      amount: row.amount,
      budgetSinceMs: row.budget_since_ms,
      budgetAmount: row.budget_amount,
    })),
  }
}
