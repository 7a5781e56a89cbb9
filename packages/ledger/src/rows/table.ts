import type { SqliteValue } from '@tollgate/store/sqlite/connection'

/**
 * Columns of the ledger's tables as data. Each table is declared once; binding for SQLite, encoding for servers,
 * decoding and SQL are derived from the declaration.
 */

/** Type of a column: an index can contain a `key`, not a `text`. */
export type FieldWord = 'int8' | 'int4' | 'key' | 'text'

export type Cell = string | number | bigint | null

export interface WrittenColumn<Row> {
  readonly word: FieldWord
  readonly encode: (row: Row) => Cell
}

export interface WrittenShape<Row> {
  readonly name: string
  /** In the order in which they are written. */
  readonly columns: Readonly<Record<string, WrittenColumn<Row>>>
  readonly keys?: readonly string[]
  /** Columns that an update does not set, besides the keys. */
  readonly constant?: readonly string[]
  /** An update expects the version before. */
  readonly isVersioned?: boolean
}

/** A table that the ledger writes. */
export class WrittenTable<Row> {
  readonly name: string
  readonly keys: readonly string[]
  readonly isVersioned: boolean
  /** All columns with their types. */
  readonly words: Readonly<Record<string, FieldWord>>
  /** Columns that an update sets. */
  readonly changed: readonly string[]
  /** Returns the value of each column, in order. */
  readonly encoders: readonly ((row: Row) => Cell)[]

  constructor({ name, columns, keys = [], constant = [], isVersioned = false }: WrittenShape<Row>) {
    const named = Object.entries(columns)
    this.name = name
    this.keys = keys
    this.isVersioned = isVersioned
    this.words = Object.fromEntries(named.map(([column, { word }]) => [column, word]))
    this.changed = Object.keys(columns).filter(
      (column) => !keys.includes(column) && !constant.includes(column),
    )
    this.encoders = named.map(([, { encode }]) => encode)
  }

  /** Returns the values of these columns, as SQLite takes them. */
  binder(columns: readonly string[]): (row: Row) => (string | bigint | null)[] {
    const encoders = columns.map((column) => this.#encoder(column))
    return (row) => encoders.map((encode) => bound(encode(row)))
  }

  #encoder(column: string): (row: Row) => Cell {
    const encode = this.encoders[Object.keys(this.words).indexOf(column)]
    if (!encode) throw new RangeError(`${this.name} has no column ${column}`)
    return encode
  }
}

/** A column with the conversion between its value in a state and in the database. */
export interface Field<T> {
  readonly column: string
  readonly word: FieldWord
  readonly encode: (value: T) => Cell
  readonly decode: (cell: SqliteValue | undefined) => T
  /** SQL that reads the value where that is not the column itself. `prefix` is that of the table's columns. */
  readonly select?: (prefix: string) => string
}

export interface TableShape<Row extends object> extends Omit<WrittenShape<Row>, 'columns'> {
  readonly fields: { readonly [K in keyof Row]-?: Field<Row[K]> }
  /** Columns that are written and not read: they follow from the others. */
  readonly derived?: Readonly<Record<string, WrittenColumn<Row>>>
}

/** A table whose rows are states of the core. */
export class RowTable<Row extends object> extends WrittenTable<Row> {
  /** Columns in the order in which {@link decode} expects them. */
  readonly columns: readonly string[]
  /** Their names in the state. */
  readonly properties: readonly (keyof Row)[]
  readonly #fields: readonly Field<Row[keyof Row]>[]

  constructor({ fields, derived = {}, ...shape }: TableShape<Row>) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object's own entries are those of its literal
    const named = Object.entries(fields) as [keyof Row, Field<Row[keyof Row]>][]
    const columns = named.map(([property, { column, word, encode }]) => [
      column,
      { word, encode: (row: Row) => encode(row[property]) },
    ])
    super({ ...shape, columns: { ...Object.fromEntries(columns), ...derived } })
    this.columns = named.map(([, { column }]) => column)
    this.properties = named.map(([property]) => property)
    this.#fields = named.map(([, field]) => field)
  }

  /** `a, b, c`, each with the prefix, for a `select`. */
  list(prefix = ''): string {
    return this.#fields.map(({ column, select }) => select?.(prefix) ?? prefix + column).join(', ')
  }

  decode(cells: readonly SqliteValue[]): Row {
    const row: Partial<Row> = {}
    for (const [index, property] of this.properties.entries())
      row[property] = this.#fields[index]?.decode(cells[index])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every property was set
    return row as Row
  }
}

export function bound(value: Cell): string | bigint | null {
  return typeof value === 'number' ? BigInt(value) : value
}
