import { USER_STATUS } from '@tollgate/kit/codes'
import type { Db } from '../tables/schema.ts'

/**
 * Reads for the job that warns about low balances: users who were charged, their notification settings, and
 * since when their balance is low.
 */

const KINDS_OF_ACCOUNTS = 4
const LOWERING = ['consume', 'correction', 'adjust'] as const

/** The id of the last entry; 0 in an empty ledger. */
export async function lastEntryId(db: Db): Promise<number> {
  const row = await db
    .selectFrom('entry')
    .select((select) => select.fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

/** Users whose balance may have been lowered by entries after the given one. */
export async function listChargedUsers(db: Db, afterId: number): Promise<readonly number[]> {
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

/** Settings of those of the given users who are active. */
export function listUserSettings(db: Db, userIds: readonly number[]) {
  return db
    .selectFrom('users')
    .select(['id', 'setting'])
    .where('id', 'in', userIds.length > 0 ? [...userIds] : [-1])
    .where('status', '=', USER_STATUS.enabled)
    .where('deleted_ms', 'is', null)
    .execute()
}

/**
 * Id of the last credit or adjustment that left the balance at or above `amount`; 0 when there is none. The
 * balance has fallen below the amount at most once since then.
 */
export async function lastEntryAtLeast(
  db: Db,
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
