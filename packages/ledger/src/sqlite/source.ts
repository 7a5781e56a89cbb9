import type { HotStatement, SqliteConnection } from '@tollgate/store/sqlite/connection'
import type { AccountState, EntryState, HoldState, LedgerSource, TaskState } from '../core/state.ts'
import {
  ACCOUNT_COLUMNS,
  ENTRY_COLUMNS,
  HOLD_COLUMNS,
  TASK_COLUMNS,
  toAccount,
  toEntry,
  toHold,
  toTask,
} from '../rows/ledger-rows.ts'

/**
 * Reads the ledger's state inside the writer's transaction. SQLite has only one writer, so everything read is
 * effectively locked.
 */
export class SqliteSource implements LedgerSource {
  readonly #account: HotStatement
  readonly #hold: HotStatement
  readonly #entry: HotStatement
  readonly #task: HotStatement

  constructor(connection: SqliteConnection) {
    this.#account = connection.prepare(`select ${ACCOUNT_COLUMNS} from account where id = ?`)
    this.#hold = connection.prepare(`select ${HOLD_COLUMNS} from hold where id = ?`)
    this.#entry = connection.prepare(`select ${ENTRY_COLUMNS} from entry where op_key = ?`)
    this.#task = connection.prepare(`select ${TASK_COLUMNS} from tasks where id = ?`)
  }

  account(id: number): AccountState | undefined {
    const row = this.#account.get(BigInt(id))
    return row && toAccount(row)
  }

  hold(id: string): HoldState | undefined {
    const row = this.#hold.get(id)
    return row && toHold(row)
  }

  entry(opKey: string): EntryState | undefined {
    const row = this.#entry.get(opKey)
    return row && toEntry(row)
  }

  task(id: number): TaskState | undefined {
    const row = this.#task.get(BigInt(id))
    return row && toTask(row)
  }
}
