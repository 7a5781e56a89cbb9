import type { Source } from '@tollgate/importer/source'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { Database } from '@tollgate/store/schema'
import type { Traits } from '@tollgate/store/traits'
import type { Kysely } from 'kysely'
import type { Progress } from './progress.ts'
import type { Report } from './report.ts'
import type { SideFile } from './side-file.ts'

/** One way through the source: first only looking, then, unless that found an obstacle, writing. */
export interface ImportContext {
  readonly source: Source
  /** Names the installation that the source is of; part of every key. */
  readonly sourceId: string
  readonly db: Kysely<Database>
  readonly report: Report
  readonly progress: Progress
  readonly nowMs: number
  /** `undefined` while only looking. */
  readonly writing: Writing | undefined
}

export interface Writing {
  readonly ledger: Ledger
  readonly cipher: Cipher
  readonly traits: Traits
  readonly sideFile: SideFile
}

/** Rows of the source handled at a time. */
export const BATCH_ROWS = 500

/** Up to which id of a table the rows are here already. */
export function doneMark({ sourceId }: Pick<ImportContext, 'sourceId'>, table: string): string {
  return `import:${sourceId}:${table}`
}
