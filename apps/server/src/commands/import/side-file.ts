import type { SourceRow } from '@tollgate/importer/source'
import { openLineFile } from '../line-file.ts'

/**
 * Collects rows that were left out, one JSON object per line: `{"table", "row", "reason"?}`. Integers are
 * written as exact strings.
 */
export interface SideFile {
  readonly path: string
  readonly rows: number
  add(table: string, row: SourceRow, reason?: string): Promise<void>
  /** Moves the file to its final name, or leaves no file when it would be empty. */
  close(): Promise<void>
  /** Deletes the unfinished file. */
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
