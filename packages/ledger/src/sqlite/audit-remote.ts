import type { PriceLookup } from '@tollgate/billing/recompute'
import type { HotStatement, SqliteConnection, SqliteValue } from '@tollgate/store/sqlite/connection'
import type { RemoteFunctions } from '@tollgate/store/sqlite/engine'
import { type AuditSource, auditLedger } from '../core/audit.ts'
import { encodeReport } from './report-wire.ts'
import { amount, text } from '../rows/fields.ts'
import type { RowTable } from '../rows/table.ts'
import { decodeOutOfReach, buildOutOfReachSql } from '../rows/out-of-reach.ts'
import { accountTable, allotmentTable, entryTable, holdTable } from '../rows/tables.ts'

/** Runs the audit on a reading connection in a separate thread, so that it blocks no other work. */
export function register(connection: SqliteConnection): RemoteFunctions {
  return {
    // One read transaction, so that accounts, holds and entries come from one snapshot.
    'ledger.audit': () => {
      connection.execute('begin')
      try {
        return encodeReport(auditLedger(sqliteAuditSource(connection)))
      } finally {
        connection.execute('rollback')
      }
    },
  }
}

function sqliteAuditSource(connection: SqliteConnection): AuditSource {
  const rows = (sql: string): HotStatement => connection.prepare(sql)
  return {
    accounts: () => all(connection, accountTable),
    holds: () => all(connection, holdTable),
    allotments: () => all(connection, allotmentTable),
    allotmentsOfEnded: () => mapped(rows(ALLOTMENTS_OF_ENDED), (row) => Number(row[0])),
    allotmentsOutOfReach: () => mapped(rows(buildOutOfReachSql(Date.now())), decodeOutOfReach),
    entries: () => all(connection, entryTable, 'order by id'),
    price: priceLookup(connection),
    rollups: () =>
      mapped(rows('select account, consume_sum - refund_sum, credit_sum from entry_rollup'), (row) => ({
        account: Number(row[0]),
        used: amount(row[1]),
        granted: amount(row[2]),
      })),
    repeatedKeys: () =>
      mapped(rows('select op_key from entry group by op_key having count(*) > 1'), firstText),
    holdsOfEndedCalls: () =>
      mapped(rows("select h.id from hold h join entry e on e.op_key = 'consume:' || h.id"), firstText),
    wrongTotals: () => mapped(rows(WRONG_TOTALS), firstText),
  }
}

/** Few entries have parts, and those name the same few prices. */
function priceLookup(connection: SqliteConnection): PriceLookup {
  const statement = connection.prepare('select content from price where hash = ?')
  const kept = new Map<string, string | undefined>()
  return (hash) => {
    if (!kept.has(hash)) {
      const content = statement.get(hash)?.[0]
      kept.set(hash, typeof content === 'string' ? content : undefined)
    }
    return kept.get(hash)
  }
}

const ALLOTMENTS_OF_ENDED = `select account_id from allotment a join instance i on i.id = a.instance_id where i.state = 'ended'`

/** Compares each total with the entries up to the watermark plus the rollups of removed entries. */
const WRONG_TOTALS = `
  with watermark as (select coalesce(max(position), 0) as last from watermarks where name = 'totals'),
  counted as (
    select user_acct, token_acct, coalesce(channel_id, 0) as channel, iif(kind = 'refund', -amount, amount) as used
    from entry, watermark
    where id <= last and request_id is not null and kind in ('consume', 'correction', 'refund')
  ),
  expected as (
    select 'user:' || (user_acct / 4) as subject, used from counted
    union all select 'token:' || (token_acct / 4), used from counted where token_acct is not null
    union all select 'channel:' || channel, used from counted where channel <> 0
    union all select iif(account % 4 = 0, 'user:', 'token:') || (account / 4), consume_sum - refund_sum from entry_rollup
    union all select 'channel:' || channel_id, consume_sum - refund_sum from entry_rollup
      where channel_id <> 0 and account % 4 = 0
  ),
  summed as (select subject, sum(used) as used from expected group by subject)
  select coalesce(summed.subject, totals.subject) from summed full outer join totals using (subject)
  where coalesce(summed.used, 0) <> coalesce(totals.used, 0) and coalesce(summed.subject, totals.subject) not like 'waived:%'`

function all<Row extends object>(
  connection: SqliteConnection,
  table: RowTable<Row>,
  order = '',
): Generator<Row> {
  const statement = connection.prepare(`select ${table.list()} from ${table.name} ${order}`)
  return mapped(statement, (cells) => table.decode(cells))
}

function* mapped<T>(statement: HotStatement, convert: (row: readonly SqliteValue[]) => T): Generator<T> {
  for (const row of statement.iterate()) yield convert(row)
}

function firstText(row: readonly SqliteValue[]): string {
  return text(row[0])
}
