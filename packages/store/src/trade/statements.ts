import { sql } from 'kysely'
import type { Condition, Where } from '../database/condition.ts'
import type { Db } from '../tables/schema.ts'
import { signedSum } from './balances.ts'

/** The entries of one account within a time range. */
export interface Period {
  readonly account: number
  readonly fromMs: number
  /** Exclusive end of the range. */
  readonly untilMs: number
}

const CHARGES = ['consume', 'correction', 'refund'] as const

/** Net change of the balance from a time on, over all kinds of entries. */
export async function sumChangesFrom(
  db: Db,
  { account, fromMs }: { account: number; fromMs: number },
): Promise<bigint> {
  const row = await db
    .selectFrom('entry')
    .select(signedSum('amount'))
    .where('user_acct', '=', account)
    .where('created_ms', '>=', fromMs)
    .executeTakeFirstOrThrow()
  return BigInt(row.amount)
}

/** Credits and adjustments, oldest first. If there are more than `limit`, the newest ones. */
export async function listCreditsOf(db: Db, period: Period, limit: number) {
  const newest = await db
    .selectFrom('entry')
    .select(['id', 'created_ms', 'kind', 'op_key', 'note', 'amount'])
    .where((where) => isWithin(where, period))
    .where('kind', 'in', ['credit', 'adjust'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return newest.toReversed()
}

/** Number of calls and net charges (charges less refunds) by day, counted from the start of the period. */
export async function sumChargesByDay(db: Db, period: Period) {
  // Subtracting the remainder first makes the division exact; engines round divisions differently.
  const sinceStart = sql<number>`(created_ms - ${period.fromMs})`
  const day = sql<number | string>`(${sinceStart} - ${sinceStart} % 86400000) / 86400000`
  const rows = await db
    .selectFrom('entry')
    .select([
      day.as('day'),
      sql<number | string>`sum(case when kind = 'consume' then 1 else 0 end)`.as('calls'),
      signedSum('amount'),
    ])
    .where((where) => isWithin(where, period))
    .where('kind', 'in', CHARGES)
    .groupBy(sql`day`)
    .execute()
  return rows
    .map(({ day: index, calls, amount }) => ({
      dayIndex: Number(index),
      calls: Number(calls),
      spent: -BigInt(amount),
    }))
    .toSorted((left, right) => left.dayIndex - right.dayIndex)
}

/** Oldest first. */
export function listEntriesOf(
  db: Db,
  period: Period,
  { afterId, limit }: { afterId: number; limit: number },
) {
  return db
    .selectFrom('entry')
    .leftJoin('tokens', (join) => join.on(sql<number>`tokens.id * 4 + 1`, '=', sql.ref('entry.token_acct')))
    .select([
      'entry.id',
      'entry.created_ms',
      'entry.kind',
      'entry.op_key',
      'entry.note',
      'entry.amount',
      'entry.request_id',
      'tokens.name as token_name',
    ])
    .where((where) => isWithin(where, period))
    .where('entry.id', '>', afterId)
    .orderBy('entry.id')
    .limit(limit)
    .execute()
}

function isWithin(where: Where<'entry'>, { account, fromMs, untilMs }: Period): Condition {
  return where.and([
    where('entry.user_acct', '=', account),
    where('entry.created_ms', '>=', fromMs),
    where('entry.created_ms', '<', untilMs),
  ])
}
