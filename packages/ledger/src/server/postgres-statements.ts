import { noticeTable } from '../rows/notice-table.ts'
import { logTable } from '../rows/log-table.ts'
import type { FieldWord, RowTable, WrittenTable } from '../rows/table.ts'
import {
  accountTable,
  allotmentTable,
  entryTable,
  holdTable,
  journalTable,
  priceTable,
  rejectedTable,
  taskTable,
} from '../rows/tables.ts'
import { newTaskTable, taskEndTable } from '../rows/task-tables.ts'
import { tallyTable } from './tally-table.ts'
import { type Fields, type Statement, type Statements, assigned, isRowOf, listed } from './statements.ts'

const TYPES: Readonly<Record<FieldWord, string>> = { int8: 'int8', int4: 'int4', key: 'text', text: 'text' }

/** The rows of the parameter as a table `x`. */
function rowsOf(fields: Fields): string {
  const columns = Object.entries(fields).map(([name, word]) => `${name} ${TYPES[word]}`)
  return `json_to_recordset($1::json) as x(${columns.join(', ')})`
}

/** The same with one list for each column. */
function columnsOf(fields: Fields): string {
  const lists = Object.keys(fields).map((_name, index) => `json_array_elements_text($${index + 1}::json)`)
  const values = Object.entries(fields).map(([name, word]) => `${name}::${TYPES[word]} as ${name}`)
  const names = listed(Object.keys(fields))
  return `(select ${values.join(', ')} from rows from (${lists.join(', ')}) as listed (${names})) x`
}

function insert(table: string, fields: Fields): string {
  const columns = listed(Object.keys(fields))
  return `insert into ${table} (${columns}) select ${columns} from ${rowsOf(fields)}`
}

/**
 * Fails the statement (division by zero) unless it changes exactly $2 rows. Statements are pipelined, so the
 * client cannot check the count before it sends the next one.
 */
function exactly(change: string): string {
  return `with changed as (${change} returning 1) select 1 / (count(*) = $2)::int from changed`
}

function read<Row extends object>(name: string, table: RowTable<Row>, rest: string): Statement {
  return { name, sql: `select ${table.list()} from ${table.name} where ${rest}` }
}

function insertRows<Row>({ name, words }: WrittenTable<Row>): Statement {
  return { name: `insert-${name}`, sql: insert(name, words) }
}

function updateRows<Row>(table: WrittenTable<Row>): Statement {
  const { name, words, changed } = table
  const sql = `update ${name} set ${assigned(changed)} from ${rowsOf(words)} where ${isRowOf(table, name)}`
  return { name: `update-${name}`, checksRows: true, sql: exactly(sql) }
}

function deleteRows<Row>({ name, words, keys }: WrittenTable<Row>): Statement {
  const isRow = keys.map((key) => `${name}.${key} = x.${key}`).join(' and ')
  const sql = `delete from ${name} using ${rowsOf(words)} where ${isRow}`
  return { name: `delete-${name}`, checksRows: true, sql: exactly(sql) }
}

const ENTRY_NAMES = listed(Object.keys(entryTable.words))
const LOG_NAMES = logTable.columns
const LOG_VALUES = LOG_NAMES.map((name) => {
  if (name === 'username') return "coalesce(nullif(x.username, ''), u.username, '')"
  return name === 'token_name'
    ? "case x.username when '' then coalesce(t.name, '') else x.token_name end"
    : `x.${name}`
})

const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::int8'

export const postgresStatements: Statements = {
  commitsWithChanges: true,
  list: (values) => `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`,
  lockAccounts: read('lock-accounts', accountTable, 'id = any($1::int8[]) order by id for update'),
  readHolds: read('read-holds', holdTable, 'id = any($1::text[])'),
  readEntries: read('read-entries', entryTable, 'op_key = any($1::text[])'),
  lockTasks: read('lock-tasks', taskTable, 'id = any($1::int8[]) order by id for update'),
  readAllotments: read('read-allotments', allotmentTable, 'account_id = any($1::int8[])'),
  lockJournals: read('lock-journals', journalTable, 'file_id = any($1::text[]) order by file_id for update'),

  insertAccounts: insertRows(accountTable),
  updateAccounts: updateRows(accountTable),
  insertPrices: {
    name: 'insert-prices',
    sql: `${insertRows(priceTable).sql} on conflict (hash) do nothing`,
  },
  insertHolds: insertRows(holdTable),
  updateHolds: updateRows(holdTable),
  deleteHolds: deleteRows(holdTable),
  insertAllotments: insertRows(allotmentTable),
  updateAllotments: updateRows(allotmentTable),
  deleteAllotments: deleteRows(allotmentTable),
  insertEntries: {
    name: 'insert-entry',
    takes: 'columns',
    sql: `insert into entry (${ENTRY_NAMES}) select ${ENTRY_NAMES} from ${columnsOf(entryTable.words)}`,
  },
  insertJournals: insertRows(journalTable),
  updateJournals: updateRows(journalTable),
  insertRejected: insertRows(rejectedTable),
  writeLogs: {
    name: 'write-logs',
    takes: 'columns',
    sql: `insert into logs (${listed(LOG_NAMES)}) select ${LOG_VALUES.join(', ')} from ${columnsOf(logTable.words)}
      left join users u on x.username = '' and u.id = x.user_id
      left join tokens t on x.username = '' and t.id = x.token_id
      on conflict (request_id) do update set (${listed(LOG_NAMES)}) = (${listed(LOG_NAMES, 'excluded.')})`,
  },
  insertTasks: insertRows(newTaskTable),
  endTasks: updateRows(taskEndTable),
  queueNotices: {
    name: 'queue-notices',
    sql: `${insertRows(noticeTable).sql} on conflict (cause) do nothing`,
  },
  insertTally: insertRows(tallyTable),

  enter: {
    name: 'enter',
    sql: `insert into instance (id, started_ms, heartbeat_ms, state) values ($1, $2, ${NOW_MS}, 'alive')`,
  },
  note: {
    name: 'note',
    sql: `update instance set last_batch = $1, heartbeat_ms = ${NOW_MS} where id = $2 and state = 'alive'`,
  },
  lastBatch: { name: 'last-batch', sql: 'select last_batch from instance where id = $1 for update' },
  leave: { name: 'leave', sql: `update instance set state = 'ended' where id = $1 and state = 'alive'` },
  silentInstances: {
    name: 'silent-instances',
    sql: `select id from instance where state = 'alive' and heartbeat_ms < ${NOW_MS} - $1::int8`,
  },
  declareDead: {
    name: 'declare-dead',
    sql: `update instance set state = 'dead' where id = $1 and state = 'alive' and heartbeat_ms < ${NOW_MS} - $2::int8`,
  },
  orphanedHolds: {
    name: 'orphaned-holds',
    sql: `select id, user_acct, token_acct from hold where id > $1
      and instance_id <> all (array(select id from instance where state = 'alive')) order by id limit $2`,
  },
  orphanedAllotments: {
    name: 'orphaned-allotments',
    sql: `select instance_id, account_id from allotment
      where instance_id <> all (array(select id from instance where state = 'alive')) limit $1`,
  },
}
