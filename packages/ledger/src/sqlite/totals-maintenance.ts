import type { HotStatement, SqliteConnection } from '@tollgate/store/sqlite/connection'
import { ENTRY_PRICE } from '@tollgate/store/trade/entry-price-text'
import type { CommandContext } from '../core/command.ts'

/** Bounds how long one step blocks the writer, so that calls hardly notice. */
const ENTRIES_AT_ONCE = 2_000

/** How an entry counts in sums: corrections are signed, refunds are subtracted. */
const SIGNED = "case kind when 'refund' then -amount else amount end"
const OF_CALLS = "request_id is not null and kind in ('consume', 'correction', 'refund')"

/**
 * Maintains derived sums: totals for lists and charts, and rollups that remain when old entries are removed.
 */
export class TotalsMaintenance {
  readonly #connection: SqliteConnection
  readonly #rollUp: ReturnType<typeof prepareRollUp>
  readonly #clean: ReturnType<typeof prepareClean>

  constructor(connection: SqliteConnection) {
    this.#connection = connection
    this.#rollUp = prepareRollUp(connection)
    this.#clean = prepareClean(connection)
  }

  /** Adds the next entries to the totals; returns `more` when there are more to add. */
  rollUp({ nowMs, instanceId }: CommandContext): string {
    return this.#connection.transaction(() => {
      const { watermark, heartbeat, setWatermark, last, add } = this.#rollUp
      const from = integer(watermark.get())
      const to = integer(last.get(from, BigInt(ENTRIES_AT_ONCE)))
      if (to <= from) return ''
      for (const statement of add) statement.run(from, to)
      setWatermark.run(to)
      heartbeat.run(BigInt(nowMs), instanceId)
      return to - from >= BigInt(ENTRIES_AT_ONCE) ? 'more' : ''
    })
  }

  /**
   * Removes the next entries of calls older than `beforeMs` that are already in the totals and keeps their
   * sums, in one transaction. Credits, adjustments and transfers stay, because their keys must remain unique
   * for ever. Returns how many were removed.
   */
  clean(beforeMs: number): string {
    const { watermark } = this.#rollUp
    return this.#connection.transaction(() => {
      const parameters = [BigInt(beforeMs), integer(watermark.get())]
      const to = integer(this.#clean.last.get(...parameters, BigInt(ENTRIES_AT_ONCE)))
      for (const statement of this.#clean.keep) statement.run(...parameters, to)
      return String(this.#clean.remove.run(...parameters, to))
    })
  }
}

function prepareRollUp(connection: SqliteConnection) {
  return {
    watermark: connection.prepare("select position from watermarks where name = 'totals'"),
    setWatermark: connection.prepare(
      `insert into watermarks values ('totals', ?) on conflict (name) do update set position = excluded.position`,
    ),
    last: connection.prepare('select max(id) from (select id from entry where id > ? order by id limit ?)'),
    heartbeat: connection.prepare('update instance set heartbeat_ms = ? where id = ?'),
    add: [
      totalsOf(connection, { kind: 'user', owner: 'user_acct / 4' }),
      totalsOf(connection, { kind: 'token', owner: 'token_acct / 4' }),
      totalsOf(connection, { kind: 'channel', owner: 'channel_id' }),
      interruptedOf(connection),
      waivedOf(connection),
    ],
  }
}

interface Subject {
  readonly kind: 'user' | 'token' | 'channel'
  /** SQL expression over the entry; rows where it is null do not count. */
  readonly owner: string
}

function totalsOf(connection: SqliteConnection, { kind, owner }: Subject): HotStatement {
  return connection.prepare(
    `insert into totals (subject, used, calls, last_ms)
     select '${kind}:' || (${owner}), sum(${SIGNED}), sum(kind = 'consume'), max(created_ms)
     from entry where id > ? and id <= ? and ${OF_CALLS} and ${owner} is not null group by ${owner}
     on conflict (subject) do update set used = used + excluded.used, calls = calls + excluded.calls,
     last_ms = max(last_ms, excluded.last_ms)`,
  )
}

/** Same subjects and counts as in `core/interrupted.ts`. */
function interruptedOf(connection: SqliteConnection): HotStatement {
  return connection.prepare(
    `insert into totals (subject, used, calls, last_ms)
     select printf('interrupted:%07d', created_ms / 3600000), 0, sum(iif(kind = 'correction', -1, 1)), max(created_ms)
     from entry where id > ? and id <= ? and (kind = 'correction' or (kind = 'consume' and flags = 'recovered'))
     group by created_ms / 3600000
     on conflict (subject) do update set calls = calls + excluded.calls, last_ms = max(last_ms, excluded.last_ms)`,
  )
}

/** Same subjects as in `core/waived.ts`. */
function waivedOf(connection: SqliteConnection): HotStatement {
  return connection.prepare(
    `insert into totals (subject, used, calls, last_ms)
     select printf('waived:%07d:%d:%s', created_ms / 3600000, coalesce(channel_id, 0),
       substr(iif(json_valid(price), coalesce(json_extract(price, '$.model'), ''), ''), 1, 200)),
       sum(waived), count(*), max(created_ms)
     from (
       select created_ms, channel_id, waived, ${ENTRY_PRICE} as price from entry
       where id > ? and id <= ? and waived > 0
     ) group by 1
     on conflict (subject) do update set used = used + excluded.used, calls = calls + excluded.calls,
     last_ms = max(last_ms, excluded.last_ms)`,
  )
}

const CLEANED = `${OF_CALLS} and created_ms < ? and id <= ?`

function prepareClean(connection: SqliteConnection) {
  return {
    last: connection.prepare(
      `select max(id) from (select id from entry where ${CLEANED} order by id limit ?)`,
    ),
    keep: [keptSumsOf(connection, 'user_acct'), keptSumsOf(connection, 'token_acct')],
    remove: connection.prepare(`delete from entry where ${CLEANED} and id <= ?`),
  }
}

function keptSumsOf(connection: SqliteConnection, account: 'user_acct' | 'token_acct'): HotStatement {
  return connection.prepare(
    `insert into entry_rollup (account, channel_id, up_to_ms, consume_sum, refund_sum, credit_sum)
     select ${account}, coalesce(channel_id, 0), max(created_ms), sum(iif(kind = 'refund', 0, amount)),
     sum(iif(kind = 'refund', amount, 0)), 0
     from entry where ${CLEANED} and id <= ? and ${account} is not null group by ${account}, coalesce(channel_id, 0)
     on conflict (account, channel_id) do update set up_to_ms = max(up_to_ms, excluded.up_to_ms),
     consume_sum = consume_sum + excluded.consume_sum, refund_sum = refund_sum + excluded.refund_sum`,
  )
}

function integer(row: readonly unknown[] | undefined): bigint {
  const value = row?.[0]
  return typeof value === 'bigint' ? value : 0n
}
