import { sql } from 'kysely'
import type { Condition, Where } from '../database/condition.ts'
import type { Page } from '../database/page.ts'
import type { EntryKind } from '../tables/ledger.ts'
import type { Db } from '../tables/schema.ts'
import { countUpTo } from '../database/count-found.ts'
import { shownRemaining, shownReserved } from './shown-balance.ts'

/** Reads what the ledger wrote: balances of several accounts at once, and the history of one account. */

export type BalanceRow = Awaited<ReturnType<typeof listBalances>>[number]
export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number]

export function listBalances(db: Db, accounts: readonly number[]) {
  return db
    .selectFrom('account')
    .select(['id', 'granted', 'used', 'debt', 'paid'])
    .select([shownRemaining, shownReserved])
    .where('id', 'in', accounts.length > 0 ? [...accounts] : [-1])
    .execute()
}

export interface EntryFilter {
  readonly account: number
  readonly kind?: EntryKind | undefined
  readonly beforeId?: number | undefined
}

/** Newest first. */
export function listEntries(db: Db, filter: EntryFilter, page: Page) {
  return db
    .selectFrom('entry')
    .select([
      'id',
      'op_key',
      'kind',
      'request_id',
      'token_acct',
      'channel_id',
      'amount',
      'flags',
      'waived',
      'note',
      'created_ms',
    ])
    .where((where) => matches(where, filter))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** Counting stops at `atMost`. */
export function countEntries(db: Db, filter: EntryFilter, atMost: number): Promise<number> {
  const matching = db
    .selectFrom('entry')
    .select('entry.id')
    .where((where) => matches(where, filter))
  return countUpTo(db, matching, atMost)
}

/** Net change of an account's balance by all entries after the given one. */
export async function sumEntriesAfter(
  db: Db,
  { account, afterId }: { account: number; afterId: number },
): Promise<bigint> {
  const row = await db
    .selectFrom('entry')
    .select(signedSum('amount'))
    .where('user_acct', '=', account)
    .where('id', '>', afterId)
    .executeTakeFirstOrThrow()
  return BigInt(row.amount)
}

/** Credits of one account whose operation keys begin with `keyStart`, ordered by that key. */
export function listCreditsByKey(
  db: Db,
  { account, keyStart, limit }: { account: number; keyStart: string; limit: number },
) {
  return db
    .selectFrom('entry')
    .select(['op_key', 'amount', 'created_ms'])
    .where('user_acct', '=', account)
    .where('op_key', '>=', keyStart)
    .where('op_key', '<', `${keyStart}\u{ffff}`)
    .orderBy('op_key')
    .limit(limit)
    .execute()
}

export interface CreditSum {
  readonly count: number
  readonly amount: bigint
}

/** Sum of all credits of an account whose operation keys begin with `keyStart`. */
export async function sumCreditsByKey(
  db: Db,
  { account, keyStart }: { account: number; keyStart: string },
): Promise<CreditSum> {
  const row = await db
    .selectFrom('entry')
    .select((select) => [select.fn.countAll().as('count'), select.fn.sum('amount').as('amount')])
    .where('user_acct', '=', account)
    .where('op_key', '>=', keyStart)
    .where('op_key', '<', `${keyStart}\u{ffff}`)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), amount: BigInt(row.amount ?? 0) }
}

function matches(where: Where<'entry'>, filter: EntryFilter): Condition {
  const all: Condition[] = [where('user_acct', '=', filter.account)]
  if (filter.kind !== undefined) all.push(where('kind', '=', filter.kind))
  if (filter.beforeId !== undefined) all.push(where('id', '<', filter.beforeId))
  return where.and(all)
}

/** Only charges reduce the balance; a correction has the sign of a charge. */
export function signedSum<Name extends string>(name: Name) {
  return sql<
    bigint | number | string
  >`coalesce(sum(case when kind in ('consume', 'correction') then -amount else amount end), 0)`.as(name)
}
