import type { Source } from '@tollgate/importer/source'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { Db } from '@tollgate/store/tables/schema'
import type { Traits } from '@tollgate/store/database/traits'
import type { Progress } from '../progress.ts'
import type { Report } from './report.ts'
import type { SideFile } from './side-file.ts'

/**
 * Context of one pass over the source. The first pass only reads; if it finds no obstacle, a second pass
 * writes.
 */
export interface ImportContext {
  readonly source: Source
  /** Identifies the source installation; part of every idempotency key. */
  readonly sourceId: string
  readonly db: Db
  readonly report: Report
  readonly progress: Progress
  readonly nowMs: number
  /** `undefined` during the read-only pass. */
  readonly writing: Writing | undefined
}

export interface Writing {
  readonly ledger: Ledger
  readonly cipher: Cipher
  readonly traits: Traits
  readonly sideFile: SideFile
}

/** Rows of the source that are handled at a time. */
export const BATCH_ROWS = 500

/** Name of the watermark that holds the last imported id of a table. */
export function doneMark({ sourceId }: Pick<ImportContext, 'sourceId'>, table: string): string {
  return `import:${sourceId}:${table}`
}
