import type { Seal } from '@tollgate/kit/seal'
import type { StoreView } from '@tollgate/store/open-view'
import { version } from '../../version.ts'
import { type ExportedTable, exportedTables } from './tables.ts'

export interface ExportRequest {
  readonly view: StoreView
  /** Where the usage log is moved to, if anywhere; what is still on its way is in `view`. */
  readonly logs?: StoreView | undefined
  readonly withLogs: boolean
  /** Opens stored secrets; without it none is exported, not even as a hash. */
  readonly seal: Seal | undefined
  readonly nowMs: number
  /** Resolves once the line may be forgotten. */
  readonly write: (line: string) => Promise<void>
}

const PAGE_ROWS = 1_000

/**
 * Everything of one moment as JSON lines: first what this is, then the rows, `{"table", "row"}` each, and last how many
 * there were, so that a file that was cut off shows it. Amounts are text, for they may be larger than JSON numbers carry.
 */
export async function runExport(request: ExportRequest): Promise<ReadonlyMap<string, number>> {
  const { view, logs, seal, withLogs, nowMs, write } = request
  const head = {
    format: 'tollgate-export',
    version: 1,
    from: version,
    exportedMs: nowMs,
    hasSecrets: seal !== undefined,
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
  return table ? exportTable({ ...request, view: logs }, table) : 0
}

async function exportTable({ view, seal, write }: ExportRequest, table: ExportedTable): Promise<number> {
  let count = 0
  for (let after: string | number | undefined; ;) {
    const rows = await table.read(view.db, { after, limit: PAGE_ROWS })
    for (const row of rows) await write(line({ table: table.name, row: table.show(row, seal) }))
    count += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return count
    after = table.position(last)
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one))}\n`
}
