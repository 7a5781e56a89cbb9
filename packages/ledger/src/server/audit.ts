import { setTimeout as sleep } from 'node:timers/promises'
import { isPriceHash } from '@tollgate/billing/price-hash'
import { listPartHashes, type PriceLookup } from '@tollgate/billing/recompute'
import type { ServerConnection } from '@tollgate/store/server/connection'
import type { SqliteValue } from '@tollgate/store/sqlite/connection'
import { Audit, type AuditedLedger } from '../core/audit.ts'
import { amount, text } from '../rows/fields.ts'
import { decodeOutOfReach, buildOutOfReachSql } from '../rows/out-of-reach.ts'
import { accountTable, allotmentTable, entryTable, holdTable } from '../rows/tables.ts'
import type { Maintenance } from './maintenance.ts'

type Row = readonly SqliteValue[]

/** Rows are checked in small pages, so that concurrent calls hardly wait. */
const PAGE_ROWS = 250

/** Called after each page: how long the audit pauses, to leave the thread and the server to others. */
export type PausePolicy = (workedMs: number) => Promise<unknown>

/** While calls are being served, the audit pauses for as long as the page took. */
export const pauseBetweenPages: PausePolicy = (workedMs) => sleep(workedMs)
/** No pause, for when nothing else is being served. */
export const alone: PausePolicy = async () => undefined

/** Checks every account against its entries and holds, within one snapshot. */
export async function auditServer(
  connection: ServerConnection,
  { maintenance, rest }: { readonly maintenance: Maintenance; readonly rest: PausePolicy },
): Promise<AuditedLedger> {
  for (const statement of maintenance.beginSnapshot) await connection.query(statement)
  try {
    return await readAll(connection, { maintenance, rest })
  } finally {
    await connection.query('rollback').catch(() => connection.destroy())
  }
}

async function readAll(
  connection: ServerConnection,
  { maintenance, rest }: { readonly maintenance: Maintenance; readonly rest: PausePolicy },
): Promise<AuditedLedger> {
  const audit = new Audit()
  const all = (sql: string): Pages => ({ connection, sql, rest })
  const paged = (table: Table, columns: string, below: string | number): Pages => {
    const sql = `select ${columns} from ${table} where id > ${maintenance.mark} order by id limit ${PAGE_ROWS}`
    return { connection, sql, rest, below }
  }
  await each(all('select account, consume_sum - refund_sum as used, credit_sum from entry_rollup'), (row) =>
    audit.rollup({ account: Number(row[0]), used: amount(row[1]), granted: amount(row[2]) }),
  )
  await each(paged('hold', holdTable.list(), ''), (row) => audit.hold(holdTable.decode(row)))
  await each(all(`select ${allotmentTable.list()} from allotment`), (row) =>
    audit.allotment(allotmentTable.decode(row)),
  )
  await each(all(ALLOTMENTS_OF_ENDED), (row) => audit.allotmentOfEnded(Number(row[0])))
  await each(all(buildOutOfReachSql(Date.now())), (row) => audit.allotmentOutOfReach(decodeOutOfReach(row)))
  const prices = new KeptPrices(connection)
  const entries = {
    ...paged('entry', `id, ${entryTable.list()}`, 0),
    before: (rows: readonly Row[]) => prices.load(rows),
  }
  await each(entries, (row) => audit.entry(entryTable.decode(row.slice(1)), prices.lookUp))
  await each(all(REPEATED_KEYS), (row) => audit.repeatedKey(text(row[0])))
  await each(all(HOLDS_OF_ENDED_CALLS), (row) => audit.holdOfEndedCall(text(row[0])))
  await each(all(maintenance.wrongTotals), (row) => audit.wrongTotal(text(row[0])))
  await each(paged('account', accountTable.list(), -1), (row) => audit.account(accountTable.decode(row)))
  return audit.report()
}

const REPEATED_KEYS = 'select op_key from entry group by op_key having count(*) > 1 limit 100'
const HOLDS_OF_ENDED_CALLS = `select hold.id from hold join entry on entry.op_key = concat('consume:', hold.id) limit 100`

const ALLOTMENTS_OF_ENDED = `select account_id from allotment join instance on instance.id = allotment.instance_id
  where instance.state = 'ended' limit 100`

type Table = 'account' | 'hold' | 'entry'

interface Pages {
  readonly connection: ServerConnection
  readonly sql: string
  readonly rest: PausePolicy
  /** For paged statements: a value lower than every key of the first column, to start from. */
  readonly below?: string | number
  /** Called with each page before its rows are visited. */
  readonly before?: (rows: readonly Row[]) => Promise<void>
}

/** Behind the id. */
const USAGE_AT = 1 + entryTable.properties.indexOf('usageJson')

/** The prices that parts of entries name. Few entries have parts, and those name the same few prices. */
class KeptPrices {
  readonly #connection: ServerConnection
  readonly #contents = new Map<string, string | undefined>()
  readonly lookUp: PriceLookup = (hash) => this.#contents.get(hash)

  constructor(connection: ServerConnection) {
    this.#connection = connection
  }

  async load(entries: readonly Row[]): Promise<void> {
    const named = new Set(entries.flatMap((row) => priceNames(row[USAGE_AT])))
    const missing = [...named].filter((hash) => !this.#contents.has(hash))
    if (missing.length === 0) return
    const list = missing.map((hash) => `'${hash}'`).join(', ')
    const { rows } = await this.#connection.query(`select hash, content from price where hash in (${list})`)
    for (const hash of missing) this.#contents.set(hash, undefined)
    for (const row of rows) this.#contents.set(text(row[0]), text(row[1]))
  }
}

/** A damaged usage is found when its entry is audited. */
function priceNames(usageJson: SqliteValue | undefined): readonly string[] {
  try {
    return typeof usageJson === 'string' ? listPartHashes(usageJson).filter(isPriceHash) : []
  } catch {
    return []
  }
}

async function each(
  { connection, sql, rest, below, before }: Pages,
  visit: (row: Row) => void,
): Promise<void> {
  let last: SqliteValue | undefined = below
  for (;;) {
    const beforeMs = performance.now()
    const { rows } = await connection.query(sql, last === undefined ? [] : [last])
    await before?.(rows)
    for (const row of rows) visit(row)
    if (below === undefined || rows.length < PAGE_ROWS) return
    last = rows.at(-1)?.[0]
    await rest(performance.now() - beforeMs)
  }
}
