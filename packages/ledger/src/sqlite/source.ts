import type { HotStatement, SqliteConnection } from '@tollgate/store/sqlite/connection'
import type { SqliteValue } from '@tollgate/store/sqlite/connection'
import type {
  AccountState,
  AllotmentState,
  EntryState,
  HoldState,
  JournalState,
  LedgerSource,
  TaskState,
} from '../core/state.ts'
import type { RowTable } from '../rows/table.ts'
import {
  accountTable,
  allotmentTable,
  entryTable,
  holdTable,
  journalTable,
  taskTable,
} from '../rows/tables.ts'

/**
 * Reads the ledger's state inside the writer's transaction. SQLite has only one writer, so everything read is
 * effectively locked.
 */
export class SqliteSource implements LedgerSource {
  readonly #accounts: RowReader<AccountState>
  readonly #holds: RowReader<HoldState>
  readonly #entries: RowReader<EntryState>
  readonly #tasks: RowReader<TaskState>
  readonly #allotments: RowReader<AllotmentState>
  readonly #journals: RowReader<JournalState>

  constructor(connection: SqliteConnection) {
    this.#accounts = new RowReader(connection, accountTable, 'id')
    this.#holds = new RowReader(connection, holdTable, 'id')
    this.#entries = new RowReader(connection, entryTable, 'op_key')
    this.#tasks = new RowReader(connection, taskTable, 'id')
    this.#allotments = new RowReader(connection, allotmentTable, 'account_id')
    this.#journals = new RowReader(connection, journalTable, 'file_id')
  }

  account(id: number): AccountState | undefined {
    return this.#accounts.one(BigInt(id))
  }

  hold(id: string): HoldState | undefined {
    return this.#holds.one(id)
  }

  entry(opKey: string): EntryState | undefined {
    return this.#entries.one(opKey)
  }

  task(id: number): TaskState | undefined {
    return this.#tasks.one(BigInt(id))
  }

  allotments(account: number): readonly AllotmentState[] {
    return this.#allotments.all(BigInt(account))
  }

  journal(fileId: string): JournalState | undefined {
    return this.#journals.one(fileId)
  }
}

/** Reads rows of one table by one column. */
class RowReader<Row extends object> {
  readonly #statement: HotStatement
  readonly #decode: (cells: readonly SqliteValue[]) => Row

  constructor(connection: SqliteConnection, table: RowTable<Row>, by: string) {
    this.#statement = connection.prepare(`select ${table.list()} from ${table.name} where ${by} = ?`)
    this.#decode = (cells) => table.decode(cells)
  }

  one(key: string | bigint): Row | undefined {
    const cells = this.#statement.get(key)
    return cells && this.#decode(cells)
  }

  all(key: string | bigint): readonly Row[] {
    return this.#statement.all(key).map(this.#decode)
  }
}
