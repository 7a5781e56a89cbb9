import type { SourceRow } from './source.ts'

/** The differences between the three engines. */
export interface SourceConnection {
  readonly name: string
  readonly quote: (identifier: string) => string
  /** The type that turns any value into text in a `cast`. */
  readonly textType: string
  /** Rejects with a {@link import('./source.ts').SourceError} when the connection is lost. */
  query(sql: string): Promise<readonly SourceRow[]>
  /**
   * Rows with `table_name`, `column_name`, `data_type` and `column_default` for every table of the database that
   * the operator named.
   */
  columns(): Promise<readonly SourceRow[]>
  close(): Promise<void>
}
