import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** What the watcher of low balances reads: who was charged, how they want to be told, and since when they have little. */

const KINDS_OF_ACCOUNTS = 4
const LOWERING = ['consume', 'correction', 'adjust'] as const

/** The last entry there is; 0 in an empty ledger. */
export async function lastEntryId(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom('entry')
    .select((select) => select.fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

/** Users whose balance the entries after one of them may have lowered. */
export async function listChargedUsers(db: Kysely<Database>, afterId: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('entry')
    .select('user_acct')
    .distinct()
    .where('id', '>', afterId)
    .where('kind', 'in', LOWERING)
    .execute()
  return rows
    .filter(({ user_acct: account }) => account % KINDS_OF_ACCOUNTS === 0)
    .map(({ user_acct: account }) => account / KINDS_OF_ACCOUNTS)
}

/** Of these users those who can still call, with their settings. */
export function listUserSettings(db: Kysely<Database>, userIds: readonly number[]) {
  return db
    .selectFrom('users')
    .select(['id', 'setting'])
    .where('id', 'in', userIds.length > 0 ? [...userIds] : [-1])
    .where('status', '=', 1)
    .where('deleted_ms', 'is', null)
    .execute()
}

/** The last credit or adjustment that left a balance at or above an amount: since then it has fallen once. 0: never. */
export async function lastEntryAtLeast(
  db: Kysely<Database>,
  { account, amount }: { account: number; amount: bigint },
): Promise<number> {
  const row = await db
    .selectFrom('entry')
    .select((select) => select.fn.max('id').as('id'))
    .where('user_acct', '=', account)
    .where('balance_after', '>=', amount)
    .executeTakeFirst()
  return row?.id ?? 0
}
