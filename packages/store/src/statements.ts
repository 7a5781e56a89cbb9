import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from './schema.ts'

/** The entries of one account between two moments. */
export interface Period {
  readonly account: number
  readonly fromMs: number
  /** The first moment that is not in it any more. */
  readonly untilMs: number
}

const CHARGES = ['consume', 'correction', 'refund'] as const

/** What the balance went up and down by from a moment on, all kinds together. */
export async function sumChangesFrom(
  db: Kysely<Database>,
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

/** Entries that are no charge, oldest first; of more than `limit` the newest. */
export async function listCreditsOf(db: Kysely<Database>, period: Period, limit: number) {
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

/** By UTC day: how many calls were charged, and what they cost less what was given back. */
export async function sumChargesByDay(db: Kysely<Database>, period: Period) {
  // Whole days without a division that rounds, which the engines do differently.
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
  db: Kysely<Database>,
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

function isWithin(
  where: ExpressionBuilder<Database, 'entry'>,
  { account, fromMs, untilMs }: Period,
): Expression<SqlBool> {
  return where.and([
    where('entry.user_acct', '=', account),
    where('entry.created_ms', '>=', fromMs),
    where('entry.created_ms', '<', untilMs),
  ])
}

/** Charges alone take away; a correction is signed as a charge is. */
function signedSum<Name extends string>(name: Name) {
  return sql<
    bigint | number | string
  >`coalesce(sum(case when kind in ('consume', 'correction') then -amount else amount end), 0)`.as(name)
}
