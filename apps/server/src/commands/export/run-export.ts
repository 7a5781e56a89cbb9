import type { Cipher } from '@tollgate/kit/cipher'
import type { StoreView } from '@tollgate/store/database/open-view'
import { countRows } from '@tollgate/store/transfer/copy-table'
import { version } from '../../version.ts'
import { type Progress, silentProgress } from '../progress.ts'
import { type ExportedRow, type ExportedTable, exportedTables } from './tables.ts'

export interface ExportRequest {
  readonly view: StoreView
  /**
   * The separate database of the usage log, if there is one. Rows that were not moved there yet are in
   * `view`.
   */
  readonly logs?: StoreView | undefined
  readonly withLogs: boolean
  /** Decrypts stored secrets. Without it no secret is exported, not even as a hash. */
  readonly cipher: Cipher | undefined
  readonly nowMs: number
  readonly progress?: Progress
  /** Resolves once the line no longer has to be kept in memory. */
  readonly write: (line: string) => Promise<void>
}

const PAGE_ROWS = 1_000

/**
 * Exports a snapshot of the database as JSON lines: first a header, then the rows (`{"table", "row"}` each),
 * and last the row counts, so that a truncated file can be recognised. Amounts are strings because they may
 * exceed the range of JSON numbers.
 */
export async function runExport(request: ExportRequest): Promise<ReadonlyMap<string, number>> {
  const { view, logs, cipher, withLogs, nowMs, write } = request
  const head = {
    format: 'tollgate-export',
    version: 1,
    from: version,
    exportedMs: nowMs,
    hasSecrets: cipher !== undefined,
  }
  await write(line(head))
  const counts = new Map<string, number>()
  for (const table of exportedTables(withLogs)) counts.set(table.name, await exportTable(request, table))
  if (logs && withLogs) counts.set('logs', (counts.get('logs') ?? 0) + (await exportMovedLogs(request, logs)))
  await write(line({ end: Object.fromEntries(counts) }))
  await logs?.close()
  await view.close()
  return counts
}

async function exportMovedLogs(request: ExportRequest, logs: StoreView): Promise<number> {
  const [table] = exportedTables(true).filter(({ name }) => name === 'logs')
  const choose = (rows: Rows): Promise<Rows> => withoutWaiting(request.view, rows)
  return table ? exportTable({ ...request, view: logs }, table, choose) : 0
}

type Rows = readonly ExportedRow[]

/**
 * A row that is being moved is in both databases. Leaves out the rows that are still in the main database,
 * which are exported from there.
 */
async function withoutWaiting({ db }: StoreView, rows: Rows): Promise<Rows> {
  if (rows.length === 0) return rows
  const names = rows.map((row) => String(row['request_id']))
  const waiting = await db.selectFrom('logs').select('request_id').where('request_id', 'in', names).execute()
  const known = new Set<unknown>(waiting.map((row) => row.request_id))
  return rows.filter((row) => !known.has(row['request_id']))
}

async function exportTable(
  { view, cipher, write, progress = silentProgress }: ExportRequest,
  table: ExportedTable,
  choose = async (rows: Rows): Promise<Rows> => rows,
): Promise<number> {
  let count = 0
  progress.start(table.name, await countRows(view.db, table.name))
  for (let after: string | number | undefined; ;) {
    const rows = await table.read(view.db, { after, limit: PAGE_ROWS })
    const chosen = await choose(rows)
    for (const row of chosen) await write(line({ table: table.name, row: table.show(row, cipher) }))
    count += chosen.length
    progress.advance(rows.length)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) break
    after = table.position(last)
  }
  progress.end()
  return count
}

function line(value: unknown): string {
  return `${JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one))}\n`
}
