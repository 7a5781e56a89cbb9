import type { Db } from '@tollgate/store/tables/schema'
import { sampleCharge, samplePriceJson, sampleUsageJson } from '@tollgate/testkit/sample-call'
import { sql } from 'kysely'
import { inSteps } from '../numbers.ts'

export interface LedgerSize {
  /** Half of the accounts are users, half their unlimited tokens. */
  readonly accounts: number
  readonly entries: number
}

const CHANNELS = 20
/** Balance for the accounts that the calls beside the audit reserve quota from. */
const PLENTY = 10n ** 12n
const NOW_MS = 1_790_000_000_000

/**
 * Fills the ledger as calls would have left it: a gift for each user, and the same number of calls through
 * each token.
 */
export async function fillLedger(db: Db, { accounts, entries }: LedgerSize): Promise<void> {
  const users = accounts / 2
  const calls = entries - users
  const callsEach = BigInt(calls / users)
  const used = sampleCharge * callsEach
  const gift = used + PLENTY
  await inSteps(
    db,
    users,
    (numbered) => sql`insert into account
        (id, kind, owner_id, granted, remaining, reserved, used, debt, followed, unlimited, version)
      select (i + 1) * 4, 'user', i + 1, ${sql.lit(gift)}, ${sql.lit(gift - used)}, 0, ${sql.lit(used)}, 0, 0, 0, 1
      from ${numbered}`,
  )
  await inSteps(
    db,
    users,
    (numbered) => sql`insert into account
        (id, kind, owner_id, granted, remaining, reserved, used, debt, followed, unlimited, version)
      select (i + 1) * 4 + 1, 'token', i + 1, ${sql.lit(used)}, 0, 0, ${sql.lit(used)}, 0, ${sql.lit(used)}, 1, 1
      from ${numbered}`,
  )
  await inSteps(
    db,
    users,
    (
      numbered,
    ) => sql`insert into entry (op_key, kind, user_acct, amount, flags, waived, balance_after, created_ms)
      select concat('gift:new:', i + 1), 'credit', (i + 1) * 4, ${sql.lit(gift)}, '', 0, ${sql.lit(gift)}, ${NOW_MS}
      from ${numbered}`,
  )
  await inSteps(
    db,
    calls,
    (
      numbered,
    ) => sql`insert into entry (op_key, kind, request_id, user_acct, token_acct, channel_id, amount, flags,
        waived, price_json, usage_json, created_ms)
      select concat('consume:call-', i), 'consume', concat('call-', i), (i % ${sql.lit(users)} + 1) * 4,
        (i % ${sql.lit(users)} + 1) * 4 + 1, i % ${sql.lit(CHANNELS)} + 1, ${sql.lit(sampleCharge)}, '', 0,
        ${samplePriceJson}, ${sampleUsageJson}, ${NOW_MS} from ${numbered}`,
  )
  await fillTotals(db)
}

/** Writes the totals that the roll-up job would compute within seconds. */
async function fillTotals(db: Db): Promise<void> {
  for (const [kind, column] of [
    ['user', 'user_acct'],
    ['token', 'token_acct'],
  ] as const)
    await sql`insert into totals (subject, used, calls, last_ms)
      select concat(${sql.lit(kind)}, ':', account.owner_id), sum(amount), count(*), max(created_ms)
      from entry join account on account.id = ${sql.ref(column)}
      where request_id is not null group by account.owner_id`.execute(db)
  await sql`insert into totals (subject, used, calls, last_ms)
    select concat('channel:', channel_id), sum(amount), count(*), max(created_ms) from entry
    where channel_id is not null group by channel_id`.execute(db)
  await sql`insert into watermarks (name, position) select 'totals', max(id) from entry`.execute(db)
}
