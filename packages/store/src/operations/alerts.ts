import type { OpenAlertTable } from '../tables/operations.ts'
import { insertUnlessKnown } from '../database/insert-unless-known.ts'
import type { Db } from '../tables/schema.ts'

export function listOpenAlerts(db: Db): Promise<OpenAlertTable[]> {
  return db.selectFrom('open_alerts').selectAll().orderBy('since_ms').orderBy('name').execute()
}

/** Returns false when the alert is open already. */
export function insertOpenAlert(db: Db, row: OpenAlertTable): Promise<boolean> {
  return insertUnlessKnown(db, db.insertInto('open_alerts').values(row), ['name'])
}

/** Returns false when the alert was closed by somebody else. */
export async function removeOpenAlert(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('open_alerts').where('name', '=', name).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Number of alerts that were queued for a receiver since a time. */
export async function countSentAlerts(db: Db, sinceMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('outbox')
    .select((row) => row.fn.countAll().as('count'))
    .where('cause', 'like', 'alert:%')
    .where('created_ms', '>=', sinceMs)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Since when queued work has been due that no worker took; later than now for work that is tried again later. */
export async function oldestDueWorkMs(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select((each) => each.fn.min('due_ms').as('oldest'))
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return row?.oldest ?? undefined
}

export interface BudgetOfToken {
  readonly id: number
  readonly name: string
  readonly budget_quota: bigint
  readonly budget_period: string
  readonly used: bigint
  readonly budget_base: bigint
  readonly budget_since_ms: number
}

/** Tokens of administrators that spend from a budget, and what they have spent. */
export function listTokenBudgets(db: Db, limit: number): Promise<BudgetOfToken[]> {
  return db
    .selectFrom('tokens')
    .innerJoin('account', (join) =>
      join.onRef('account.owner_id', '=', 'tokens.id').on('account.kind', '=', 'token'),
    )
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select([
      'tokens.id',
      'tokens.name',
      'tokens.budget_quota',
      'tokens.budget_period',
      'account.used',
      'account.budget_base',
      'account.budget_since_ms',
    ])
    .where('tokens.budget_period', '<>', '')
    .where('tokens.status', '=', 1)
    .where('users.role', '>=', 10)
    .orderBy('tokens.id')
    .limit(limit)
    .execute()
}
