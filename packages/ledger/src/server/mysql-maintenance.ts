import type { ServerConnection } from '@tollgate/store/server/connection'
import type { Maintenance } from './maintenance.ts'

const SIGNED = "case kind when 'refund' then -amount else amount end"
const OF_CALLS = "request_id is not null and kind in ('consume', 'correction', 'refund')"
const IDS = "json_table(?, '$[*]' columns (item bigint path '$' error on error)) x"

/** Each step locks the rows that no other node is working on, adds them up and then deletes them. */
export const mysqlMaintenance: Maintenance = {
  takeTally: (connection, limit) =>
    inTransaction(connection, async () => {
      const ids = await lockedIds(
        connection,
        'select id from tally order by id limit ? for update skip locked',
        [limit],
      )
      if (ids.count === 0) return 0
      await connection.query(
        `insert into totals (subject, used, calls, last_ms)
         select subject, sum(used), sum(calls), max(last_ms) from ${IDS} straight_join tally on tally.id = x.item
         group by subject order by subject
         on duplicate key update used = totals.used + values(used), calls = totals.calls + values(calls),
         last_ms = greatest(totals.last_ms, values(last_ms))`,
        [ids.list],
      )
      await connection.query(`delete tally from ${IDS} straight_join tally on tally.id = x.item`, [ids.list])
      return ids.count
    }),

  clean: (connection, beforeMs, limit) =>
    inTransaction(connection, async () => {
      const old = `select id from entry where ${OF_CALLS} and created_ms < ? order by id limit ? for update skip locked`
      const ids = await lockedIds(connection, old, [beforeMs, limit])
      if (ids.count === 0) return 0
      for (const account of ['user_acct', 'token_acct'])
        await connection.query(
          `insert into entry_rollup (account, channel_id, up_to_ms, consume_sum, refund_sum, credit_sum)
           select ${account}, coalesce(channel_id, 0), max(created_ms),
           sum(case kind when 'refund' then 0 else amount end), sum(case kind when 'refund' then amount else 0 end), 0
           from ${IDS} straight_join entry on entry.id = x.item where ${account} is not null
           group by ${account}, coalesce(channel_id, 0) order by 1, 2
           on duplicate key update up_to_ms = greatest(entry_rollup.up_to_ms, values(up_to_ms)),
           consume_sum = entry_rollup.consume_sum + values(consume_sum),
           refund_sum = entry_rollup.refund_sum + values(refund_sum)`,
          [ids.list],
        )
      await connection.query(`delete entry from ${IDS} straight_join entry on entry.id = x.item`, [ids.list])
      return ids.count
    }),

  mark: '?',
  beginSnapshot: [
    'set transaction isolation level repeatable read',
    'start transaction with consistent snapshot, read only',
  ],

  wrongTotals: `
    select subject from (
      select 'user:' || (user_acct div 4) as subject, ${SIGNED} as signed from entry where ${OF_CALLS}
      union all select 'token:' || (token_acct div 4), ${SIGNED} from entry where ${OF_CALLS} and token_acct is not null
      union all select 'channel:' || channel_id, ${SIGNED} from entry where ${OF_CALLS} and channel_id <> 0
      union all select case account % 4 when 0 then 'user:' else 'token:' end || (account div 4), consume_sum - refund_sum
        from entry_rollup
      union all select 'channel:' || channel_id, consume_sum - refund_sum from entry_rollup
        where channel_id <> 0 and account % 4 = 0
      union all select subject, -used from totals where subject not like 'waived:%'
      union all select subject, -used from tally where subject not like 'waived:%'
    ) expected group by subject having sum(signed) <> 0 limit 100`,
}

async function inTransaction<T>(connection: ServerConnection, work: () => Promise<T>): Promise<T> {
  await connection.query('begin')
  try {
    const result = await work()
    await connection.query('commit')
    return result
  } catch (error) {
    await connection.query('rollback').catch(() => connection.destroy())
    throw error
  }
}

async function lockedIds(
  connection: ServerConnection,
  sql: string,
  parameters: readonly unknown[],
): Promise<{ list: string; count: number }> {
  const { rows } = await connection.query(sql, parameters)
  return { list: JSON.stringify(rows.map((row) => row[0])), count: rows.length }
}
