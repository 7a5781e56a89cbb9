import { type AliasedRawBuilder, sql } from 'kysely'

/**
 * Figures of an account as they are shown, for queries over `account`. Quota that is allotted to a process and
 * free there can still be spent, so it counts as remaining and not as reserved.
 */

type Summed = 'amount' | 'free' | 'exposed' | 'open_holds' | 'budget_amount'

const sumOfAllotments = (column: Summed) =>
  sql<bigint>`(select coalesce(sum(allotment.${sql.raw(column)}), 0) from allotment where allotment.account_id = account.id)`

export const allotted = sumOfAllotments('amount').as('allotted')
export const free = sumOfAllotments('free').as('free')
export const shownRemaining = sql<bigint>`account.remaining + ${sumOfAllotments('free')}`.as('remaining')
export const shownReserved = sql<bigint>`account.reserved - ${sumOfAllotments('free')}`.as('reserved')

/** Possible cost beyond what calls hold, and number of calls in flight, of all processes. */
export const exposedInFlight = sql<bigint>`account.exposed + ${sumOfAllotments('exposed')}`.as('exposed')
export const callsInFlight = sql<number>`account.open_holds + ${sumOfAllotments('open_holds')}`.as(
  'open_holds',
)

/** The same for a left join, where the account may be missing. */
export function orMissing<T, Name extends string>(
  figure: AliasedRawBuilder<T, Name>,
): AliasedRawBuilder<T | null, Name> {
  return figure
}
