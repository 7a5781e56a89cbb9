import type { Maintenance } from './maintenance.ts'

const SIGNED = "case kind when 'refund' then -amount else amount end"
const OF_CALLS = "request_id is not null and kind in ('consume', 'correction', 'refund')"

/** Rows are deleted and added up in the same statement. Rows that another node has locked are skipped. */
export const postgresMaintenance: Maintenance = {
  async takeTally(connection, limit) {
    const { rows } = await connection.query(
      `with taken as (
         delete from tally where id in (select id from tally order by id limit $1 for update skip locked)
         returning subject, used, calls, last_ms
       ), added as (
         insert into totals as t (subject, used, calls, last_ms)
         select subject, sum(used), sum(calls), max(last_ms) from taken group by subject order by subject
         on conflict (subject) do update set used = t.used + excluded.used, calls = t.calls + excluded.calls,
         last_ms = greatest(t.last_ms, excluded.last_ms)
       )
       select count(*) from taken`,
      [limit],
    )
    return Number(rows[0]?.[0])
  },

  async clean(connection, beforeMs, limit) {
    const { rows } = await connection.query(
      `with gone as (
         delete from entry where id in (
           select id from entry where ${OF_CALLS} and created_ms < $1 order by id limit $2 for update skip locked
         ) returning *
       ), sums as (
         select account, coalesce(channel_id, 0) as channel_id, max(created_ms) as up_to_ms,
         sum(case kind when 'refund' then 0 else amount end) as consumed,
         sum(case kind when 'refund' then amount else 0 end) as refunded
         from gone cross join lateral (values (user_acct), (token_acct)) as each_account (account)
         where account is not null group by account, coalesce(channel_id, 0)
       ), kept as (
         insert into entry_rollup as r (account, channel_id, up_to_ms, consume_sum, refund_sum, credit_sum)
         select account, channel_id, up_to_ms, consumed, refunded, 0 from sums order by account, channel_id
         on conflict (account, channel_id) do update set up_to_ms = greatest(r.up_to_ms, excluded.up_to_ms),
         consume_sum = r.consume_sum + excluded.consume_sum, refund_sum = r.refund_sum + excluded.refund_sum
       )
       select count(*) from gone`,
      [beforeMs, limit],
    )
    return Number(rows[0]?.[0])
  },

  mark: '$1',
  beginSnapshot: [
    'begin isolation level repeatable read read only',
    // Without this, the sums over all entries would occupy every processor of a small server.
    'set local max_parallel_workers_per_gather = 0',
  ],

  wrongTotals: `
    with counted as (
      select user_acct, token_acct, coalesce(channel_id, 0) as channel, ${SIGNED} as signed from entry where ${OF_CALLS}
    ),
    expected as (
      select 'user:' || (user_acct / 4) as subject, signed from counted
      union all select 'token:' || (token_acct / 4), signed from counted where token_acct is not null
      union all select 'channel:' || channel, signed from counted where channel <> 0
      union all select case account % 4 when 0 then 'user:' else 'token:' end || (account / 4), consume_sum - refund_sum
        from entry_rollup
      union all select 'channel:' || channel_id, consume_sum - refund_sum from entry_rollup
        where channel_id <> 0 and account % 4 = 0
      union all select subject, -used from totals where subject not like 'waived:%'
      union all select subject, -used from tally where subject not like 'waived:%'
    )
    select subject from expected group by subject having sum(signed) <> 0 limit 100`,
}
