import type { Database } from '@tollgate/store/tables/schema'
import {
  allotted,
  exposedInFlight,
  free,
  shownRemaining,
  shownReserved,
} from '@tollgate/store/trade/shown-balance'
import { type Kysely, sql } from 'kysely'
import { invariant } from '@tollgate/kit/invariant'
import { isUserAccount } from './core/account-kind.ts'
import { FIRST_INTERRUPTED, LAST_INTERRUPTED, interruptedSubject } from './core/interrupted.ts'
import { adjustKey, consumeKey } from './core/keys.ts'
import { readWaivedSubject, waivedSubjects } from './core/waived.ts'
import type { AccountId, Balance } from './account.ts'
import type { LedgerGauges } from './ledger.ts'
import type { HoldOutcome } from './orphaned-journals.ts'

/** Reads for display; no decision depends on them. */

export async function readBalance(db: Kysely<Database>, account: AccountId): Promise<Balance | undefined> {
  const row = await db
    .selectFrom('account')
    .select(['granted', 'used', 'debt', 'unlimited', 'version', 'paid'])
    .select([shownRemaining, shownReserved, allotted, free, exposedInFlight])
    .where('id', '=', account)
    .executeTakeFirst()
  if (!row) return undefined
  const { unlimited, paid, ...figures } = row
  return { ...figures, hasPaid: paid === 1, unlimited: unlimited === 1 }
}

/** The balances (`remaining - debt`) around an adjustment, and its time. Its entry stays for ever. */
export async function readAdjustment(
  db: Kysely<Database>,
  key: string,
): Promise<{ readonly before: bigint; readonly after: bigint; readonly atMs: number }> {
  const { amount, balance_after, created_ms } = await db
    .selectFrom('entry')
    .select(['amount', 'balance_after', 'created_ms'])
    .where('op_key', '=', adjustKey(key))
    .executeTakeFirstOrThrow()
  invariant(balance_after !== null, 'the entry of an adjustment has the balance after it')
  return { before: balance_after - amount, after: balance_after, atMs: created_ms }
}

export async function readGauges(db: Kysely<Database>, nowMs: number): Promise<LedgerGauges> {
  const holds = await db
    .selectFrom('hold')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_ms').as('oldest')])
    .executeTakeFirstOrThrow()
  const accounts = await db
    .selectFrom('account')
    .select(sql<bigint>`coalesce(sum(debt), 0)`.as('debt'))
    .executeTakeFirstOrThrow()
  const interrupted = await readInterrupted(db)
  const oldestHoldMs = holds.oldest === null ? 0 : Math.max(0, nowMs - holds.oldest)
  const openHolds = holds.count + (await callsWithinAllotments(db))
  return { openHolds, oldestHoldMs, debtTotal: accounts.debt, interrupted }
}

/** Calls that processes hold in memory, as of their last fold. A call counts on its user and on its token. */
async function callsWithinAllotments(db: Kysely<Database>): Promise<number> {
  const rows = await db
    .selectFrom('allotment')
    .select(['account_id', 'open_holds'])
    .where('open_holds', '>', 0)
    .execute()
  return rows.filter((row) => isUserAccount(row.account_id)).reduce((sum, row) => sum + row.open_holds, 0)
}

/**
 * Number of calls interrupted by a crash in the hours of a time span, or ever when no span is given. A few
 * seconds behind.
 */
export async function readInterrupted(
  db: Kysely<Database>,
  time?: { readonly fromMs: number; readonly untilMs: number },
): Promise<number> {
  const { calls } = await db
    .selectFrom('totals')
    .select(sql<number | bigint | string>`coalesce(sum(calls), 0)`.as('calls'))
    .where('subject', '>=', time ? interruptedSubject(time.fromMs) : FIRST_INTERRUPTED)
    .where('subject', '<=', time ? interruptedSubject(time.untilMs) : LAST_INTERRUPTED)
    .executeTakeFirstOrThrow()
  return Math.max(0, Number(calls))
}

/** Charges waived because they exceeded the ceiling of their call. */
export interface WaivedSum {
  /** 0 when the channel is not known. */
  readonly channelId: number
  readonly model: string
  readonly calls: number
  readonly units: bigint
}

/**
 * Safety bound, above the number of hour, channel and model combinations in any dashboard range; the largest
 * sums are kept.
 */
const WAIVED_ROWS_MAX = 50_000

/** Waived charges by channel and model in the hours of a time span, largest first. A few seconds behind. */
export async function readWaived(
  db: Kysely<Database>,
  time: { readonly fromMs: number; readonly untilMs: number },
): Promise<readonly WaivedSum[]> {
  const { from, until } = waivedSubjects(time)
  const rows = await db
    .selectFrom('totals')
    .select(['subject', 'used', 'calls'])
    .where('subject', '>=', from)
    .where('subject', '<', until)
    .orderBy('used', 'desc')
    .limit(WAIVED_ROWS_MAX)
    .execute()
  const sums = new Map<string, WaivedSum>()
  for (const { subject, used, calls } of rows) {
    const names = readWaivedSubject(subject)
    if (names === undefined) continue
    const key = `${names.channelId}:${names.model}`
    const known = sums.get(key)
    sums.set(key, {
      ...names,
      calls: (known?.calls ?? 0) + calls,
      units: (known?.units ?? 0n) + used,
    })
  }
  return [...sums.values()].toSorted((left, right) => (left.units < right.units ? 1 : -1))
}

/**
 * Settling deletes the hold and inserts the entry in one transaction, so checking the hold first cannot miss
 * both.
 */
export async function readHoldOutcome(db: Kysely<Database>, holdId: string): Promise<HoldOutcome> {
  const hold = await db.selectFrom('hold').select('id').where('id', '=', holdId).executeTakeFirst()
  if (hold) return 'open'
  const key = consumeKey(holdId)
  const entry = await db.selectFrom('entry').select('flags').where('op_key', '=', key).executeTakeFirst()
  if (!entry) return 'absent'
  return entry.flags.split(',').includes('recovered') ? 'recovered' : 'settled'
}
