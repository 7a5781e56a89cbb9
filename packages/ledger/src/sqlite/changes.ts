import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { HotStatement, SqliteConnection } from '@tollgate/store/sqlite/connection'
import type { Changes } from '../core/state.ts'
import { logTable } from '../rows/log-table.ts'
import { noticeTable } from '../rows/notice-table.ts'
import {
  accountTable,
  allotmentTable,
  entryTable,
  holdTable,
  journalTable,
  priceTable,
  rejectedTable,
} from '../rows/tables.ts'
import { newTaskTable, taskEndTable } from '../rows/task-tables.ts'
import { TableWriter } from './table-writer.ts'

/** Writes the changes of a batch, in an order that satisfies the constraints. */
export class SqliteChanges {
  readonly #tables: ReturnType<typeof writersOf>
  readonly #nameLog: HotStatement

  constructor(connection: SqliteConnection) {
    this.#tables = writersOf(connection)
    this.#nameLog = connection.prepare(
      `update logs set username = coalesce((select username from users where users.id = logs.user_id), ''),
       token_name = coalesce((select name from tokens where tokens.id = logs.token_id), '') where request_id = ?`,
    )
  }

  write(changes: Changes): void {
    const { account, price, hold, entry, allotment, journal, rejected, newTask, taskEnd, notice } =
      this.#tables
    for (const row of changes.newAccounts) account.insert(row)
    for (const row of changes.changedAccounts) account.update(row)
    for (const json of changes.prices) price.insert(json)
    for (const id of changes.endedHolds) hold.delete(id)
    for (const row of changes.newHolds) hold.insert(row)
    for (const row of changes.changedHolds) hold.update(row)
    for (const row of changes.endedAllotments) allotment.delete(row.account, row.instanceId)
    for (const row of changes.newAllotments) allotment.insert(row)
    for (const row of changes.changedAllotments) allotment.update(row)
    for (const row of changes.entries) entry.insert(row)
    for (const row of changes.logs) this.#writeLog(row)
    for (const row of changes.newTasks) newTask.insert(row)
    for (const row of changes.endedTasks) taskEnd.update(row)
    for (const row of changes.notices) notice.insert(row)
    for (const row of changes.newJournals) journal.insert(row)
    for (const row of changes.changedJournals) journal.update(row)
    for (const row of changes.rejected) rejected.insert(row)
  }

  #writeLog(row: UsageLogRow): void {
    this.#tables.log.insert(row)
    if (row.username === '' && row.request_id !== null) this.#nameLog.run(row.request_id)
  }
}

/** An upsert, so that a log row never keeps a charge from being written: a late settlement replaces it. */
const REPLACE_LOG = `on conflict (request_id) do update set (${logTable.list()}) = (${logTable.list('excluded.')})`

function writersOf(connection: SqliteConnection) {
  return {
    account: new TableWriter(connection, accountTable),
    price: new TableWriter(connection, priceTable, 'on conflict (hash) do nothing'),
    hold: new TableWriter(connection, holdTable),
    entry: new TableWriter(connection, entryTable),
    allotment: new TableWriter(connection, allotmentTable),
    journal: new TableWriter(connection, journalTable),
    rejected: new TableWriter(connection, rejectedTable),
    log: new TableWriter(connection, logTable, REPLACE_LOG),
    newTask: new TableWriter(connection, newTaskTable),
    taskEnd: new TableWriter(connection, taskEndTable),
    notice: new TableWriter(connection, noticeTable, 'on conflict (cause) do nothing'),
  }
}
