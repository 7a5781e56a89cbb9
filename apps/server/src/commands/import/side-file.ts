import type { SourceRow } from '@tollgate/importer/source'
import { openLineFile } from '../line-file.ts'

/** Rows that were left out, one JSON object a line: `{"table", "row", "reason"?}`. Integers are exact, as text. */
export interface SideFile {
  readonly path: string
  readonly rows: number
  add(table: string, row: SourceRow, reason?: string): Promise<void>
  /** Puts the file in its place, or leaves none when it would be empty. */
  close(): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

export async function openSideFile(path: string): Promise<SideFile> {
  const file = await openLineFile(path)
  let rows = 0
  return {
    path,
    get rows() {
      return rows
    },
    add: async (table, row, reason) => {
      rows++
      await file.write(`${JSON.stringify({ table, row, reason }, exact)}\n`)
    },
    close: () => (rows > 0 ? file.close() : file.abandon()),
    abandon: () => file.abandon(),
  }
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
