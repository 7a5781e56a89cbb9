import { invariant } from '@tollgate/kit/invariant'
import type { HotStatement, SqliteConnection } from '@tollgate/store/sqlite/connection'
import { type WrittenTable, bound } from '../rows/table.ts'

/** Writes the rows of one table. An update or a deletion must hit exactly one row. */
export class TableWriter<Row> {
  readonly #prepare: (sql: string) => HotStatement
  readonly #table: WrittenTable<Row>
  readonly #bindAll: (row: Row) => (string | bigint | null)[]
  readonly #bindChanged: (row: Row) => (string | bigint | null)[]
  readonly #insert: HotStatement
  #update: HotStatement | undefined
  #delete: HotStatement | undefined

  /** `onConflict` is a clause of the insertion. */
  constructor(connection: SqliteConnection, table: WrittenTable<Row>, onConflict = '') {
    const columns = Object.keys(table.words)
    this.#prepare = (sql) => connection.prepare(sql)
    this.#table = table
    this.#bindAll = table.binder(columns)
    this.#bindChanged = table.binder([...table.changed, ...identifying(table)])
    this.#insert = connection.prepare(
      `insert into ${table.name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
       ${onConflict}`,
    )
  }

  insert(row: Row): void {
    this.#insert.run(...this.#bindAll(row))
  }

  update(row: Row): void {
    this.#update ??= this.#prepare(updateOf(this.#table))
    expectOne(this.#update.run(...this.#bindChanged(row)))
  }

  delete(...keys: readonly (string | number)[]): void {
    const { name } = this.#table
    this.#delete ??= this.#prepare(`delete from ${name} where ${each(this.#table.keys).join(' and ')}`)
    expectOne(this.#delete.run(...keys.map(bound)))
  }
}

/** The columns that an update is conditional on. */
function identifying<Row>({ keys, isVersioned }: WrittenTable<Row>): readonly string[] {
  return isVersioned ? [...keys, 'version'] : keys
}

function updateOf<Row>({ name, changed, keys, isVersioned }: WrittenTable<Row>): string {
  const version = isVersioned ? ['version = ? - 1'] : []
  return `update ${name} set ${each(changed).join(', ')} where ${[...each(keys), ...version].join(' and ')}`
}

function each(columns: readonly string[]): readonly string[] {
  return columns.map((column) => `${column} = ?`)
}

function expectOne(changed: bigint): void {
  invariant(changed === 1n, 'a change of the ledger hits exactly one row')
}
