import type { Database } from '@tollgate/store/tables/schema'
import type { Kysely } from 'kysely'

/**
 * Imports totals of an earlier system that are not explained by entries: calls per user and charges per
 * channel. Call these functions in the transaction that inserts the users or channels, so that they count
 * once.
 */

export async function openUserTotals(
  db: Kysely<Database>,
  users: readonly { readonly id: number; readonly calls: number }[],
): Promise<void> {
  const called = users.filter(({ calls }) => calls > 0)
  if (called.length === 0) return
  const rows = called.map(({ id, calls }) => ({ subject: `user:${id}`, used: 0n, calls, last_ms: 0 }))
  await db.insertInto('totals').values(rows).execute()
}

/** Stands for an unknown user: the earlier system's channel totals do not say whose calls caused them. */
const NOBODY = 0
const NO_CHANNEL = 0

/**
 * Stores the imported usage of each channel as a rolled-up period and subtracts the sum from "no channel".
 * Per account the two cancel out, since the same usage is already in the users' opening entries.
 */
export async function openChannelTotals(
  db: Kysely<Database>,
  channels: readonly { readonly id: number; readonly used: bigint }[],
  nowMs: number,
): Promise<void> {
  const billed = channels.filter(({ used }) => used !== 0n)
  if (billed.length === 0) return
  const period = { account: NOBODY, up_to_ms: nowMs, refund_sum: 0n, credit_sum: 0n }
  const rows = billed.map(({ id, used }) => ({ ...period, channel_id: id, consume_sum: used }))
  await db.insertInto('entry_rollup').values(rows).execute()
  const totals = billed.map(({ id, used }) => ({ subject: `channel:${id}`, used, calls: 0, last_ms: 0 }))
  await db.insertInto('totals').values(totals).execute()
  await takeFromNoChannel(db, { taken: billed.reduce((sum, { used }) => sum + used, 0n), nowMs })
}

async function takeFromNoChannel(
  db: Kysely<Database>,
  { taken, nowMs }: { taken: bigint; nowMs: number },
): Promise<void> {
  const before = await db
    .selectFrom('entry_rollup')
    .select('refund_sum')
    .where('account', '=', NOBODY)
    .where('channel_id', '=', NO_CHANNEL)
    .executeTakeFirst()
  const row = { up_to_ms: nowMs, refund_sum: (before?.refund_sum ?? 0n) + taken }
  if (before)
    await db
      .updateTable('entry_rollup')
      .set(row)
      .where('account', '=', NOBODY)
      .where('channel_id', '=', NO_CHANNEL)
      .execute()
  else
    await db
      .insertInto('entry_rollup')
      .values({ ...row, account: NOBODY, channel_id: NO_CHANNEL, consume_sum: 0n, credit_sum: 0n })
      .execute()
}
