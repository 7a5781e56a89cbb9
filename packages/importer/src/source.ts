/**
 * A value from a column of another program. Integers and booleans are bigint; times and decimals are text.
 */
export type SourceValue = null | bigint | number | string
export type SourceRow = Readonly<Record<string, SourceValue>>

/** A read-only snapshot of a database of new-api or a fork. */
export interface Source {
  /** Name for messages: the file, or the server and the database, never user or password. */
  readonly name: string
  /** What tells this installation from others, where its rows have no numbers of their own. */
  readonly mark?: string
  /** Column names by table name. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>
  count(table: string): Promise<number>
  /** The largest id; zero when the table is empty or missing. */
  largestId(table: string): Promise<number>
  /** Number of rows for each value of an integer column. */
  countBy(table: string, column: string): Promise<ReadonlyMap<number, number>>
  /** Types and defaults of a table's columns, as the database states them. */
  columnFacts(table: string): ReadonlyMap<string, ColumnFacts>
  /** Counts the rows in which these columns hold something other than nothing and other than their default. */
  countFilled(table: string, columns: readonly ColumnDefault[]): Promise<ReadonlyMap<string, FilledColumn>>
  /** Yields all rows, or the rows after an id, ordered by id. A missing table yields no rows. */
  pages(table: string, options?: PageOptions): AsyncGenerator<readonly SourceRow[]>
  close(): Promise<void>
}

export interface ColumnFacts {
  /** In lower case, in the words of the engine. */
  readonly type: string
  readonly default: string
}

export interface ColumnDefault {
  readonly name: string
  /** Values that new rows get, as text. */
  readonly defaults: readonly string[]
}

export interface FilledColumn {
  readonly rows: number
  /** One of the values; never printed, because it may be a secret. */
  readonly sample: string
}

export interface PageOptions {
  readonly after?: number
  readonly rowsMax?: number
}

/** Says in a sentence for the operator why a source cannot be read. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
