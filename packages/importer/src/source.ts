/** What a column of another program holds. Integers and truth values are bigint, times and decimals text. */
export type SourceValue = null | bigint | number | string
export type SourceRow = Readonly<Record<string, SourceValue>>

/** A database of the reference system or of a relative of it, as it was at one moment. It is only read. */
export interface Source {
  /** For messages: the file, or the server and the database; never user or password. */
  readonly name: string
  /** The columns of each table. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>
  count(table: string): Promise<number>
  /** The largest id; zero when the table is empty or missing. */
  largestId(table: string): Promise<number>
  /** How many rows there are for each value of an integer column. */
  countBy(table: string, column: string): Promise<ReadonlyMap<number, number>>
  /** All rows, or those after an id, in the order of their ids. A table that is missing has none. */
  pages(table: string, options?: PageOptions): AsyncGenerator<readonly SourceRow[]>
  close(): Promise<void>
}

export interface PageOptions {
  readonly after?: number
  readonly rowsMax?: number
}

/** Why a source cannot be read, in a sentence for the operator. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
