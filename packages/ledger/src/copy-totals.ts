import { type CopiedRow, copyTable, insertRows } from '@tollgate/store/transfer/copy-table'
import type { Database } from '@tollgate/store/tables/schema'
import { entryPrice } from '@tollgate/store/trade/entry-price'
import { engineOf } from '@tollgate/store/database/traits'
import { readWatermark, writeWatermark } from '@tollgate/store/operations/watermarks'
import type { Kysely } from 'kysely'
import { type TotalsDelta, added, totalsDeltaOf } from './server/totals-delta.ts'

/**
 * Copies the totals between engines. SQLite adds entries to the totals later, by a watermark. A server writes
 * additions with the entries, to the tally table, and adds them to the totals later. The copy adds everything
 * to the totals at once, which is correct for both.
 */

const MARK = 'totals'
const PAGE_ROWS = 1_000
const TOTALS = { name: 'totals', by: 'subject', isGrouped: false, rowsAtOnce: 250 } as const

export interface TotalsCopy {
  readonly from: Kysely<Database>
  readonly to: Kysely<Database>
  readonly onRows: (count: number) => void
}

/** Call it after entries and watermarks were copied. An interrupted copy has to start over. */
export async function copyTotals({ from, to, onRows }: TotalsCopy): Promise<void> {
  const waiting = await (engineOf(from) === 'sqlite' ? entriesNotCounted(from) : tallyNotCounted(from))
  const change = (row: CopiedRow): CopiedRow => {
    const more = waiting.get(String(row['subject']))
    if (!more) return row
    return {
      ...row,
      used: toBigint(row['used']) + more.used,
      calls: Number(row['calls']) + more.calls,
      last_ms: Math.max(Number(row['last_ms']), more.lastMs),
    }
  }
  await copyTable({ from, to, table: TOTALS, change, onRows })
  await insertNew(to, [...waiting.values()])
  const { last } = await to
    .selectFrom('entry')
    .select((select) => select.fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow()
  const position = Math.max(last ?? 0, await readWatermark(to, MARK))
  await writeWatermark(to, { name: MARK, position })
}

type Waiting = ReadonlyMap<string, TotalsDelta>

async function entriesNotCounted(db: Kysely<Database>): Promise<Waiting> {
  const waiting = new Map<string, TotalsDelta>()
  for (let after = await readWatermark(db, MARK); ;) {
    const rows = await db
      .selectFrom('entry')
      .select(['id', 'kind', 'flags', 'request_id'])
      .select(['user_acct', 'token_acct', 'channel_id', 'amount', 'waived', 'created_ms'])
      // The model is needed for the few holds that waived something.
      .select(({ eb }) => eb.case().when('waived', '>', 0n).then(entryPrice).end().as('price_json'))
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute()
    const entries = rows.map((row) => ({
      kind: row.kind,
      flags: row.flags.split(','),
      requestId: row.request_id ?? undefined,
      userAccount: row.user_acct,
      tokenAccount: row.token_acct ?? undefined,
      channelId: row.channel_id ?? undefined,
      amount: row.amount,
      waived: row.waived,
      priceJson: row.price_json ?? undefined,
      createdMs: row.created_ms,
    }))
    for (const row of totalsDeltaOf(entries)) count(waiting, row)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return waiting
    after = last.id
  }
}

async function tallyNotCounted(db: Kysely<Database>): Promise<Waiting> {
  const waiting = new Map<string, TotalsDelta>()
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('tally')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute()
    for (const { subject, used, calls, last_ms: lastMs } of rows)
      count(waiting, { subject, used, calls, lastMs })
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return waiting
    after = last.id
  }
}

function count(waiting: Map<string, TotalsDelta>, row: TotalsDelta): void {
  const before = waiting.get(row.subject)
  waiting.set(row.subject, before ? added(before, row) : row)
}

/** Inserts totals for subjects that had none yet. */
async function insertNew(db: Kysely<Database>, waiting: readonly TotalsDelta[]): Promise<void> {
  for (let start = 0; start < waiting.length; start += PAGE_ROWS) {
    const batch = waiting.slice(start, start + PAGE_ROWS)
    const subjects = batch.map(({ subject }) => subject)
    const known = await db.selectFrom('totals').select('subject').where('subject', 'in', subjects).execute()
    const there = new Set(known.map(({ subject }) => subject))
    const rows = batch.filter(({ subject }) => !there.has(subject))
    await insertRows(
      db,
      'totals',
      rows.map(({ subject, used, calls, lastMs }) => ({ subject, used, calls, last_ms: lastMs })),
    )
  }
}

function toBigint(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  throw new TypeError('an amount column holds an integer')
}
