import { NOTICE_FIELDS } from '../rows/notice-rows.ts'
import { ACCOUNT_COLUMNS, ENTRY_COLUMNS, HOLD_COLUMNS, TASK_COLUMNS } from '../rows/ledger-rows.ts'
import { TASK_CHANGED, TASK_END_FIELDS, TASK_FIELDS } from '../rows/task-rows.ts'
import {
  ACCOUNT_CHANGED,
  ACCOUNT_FIELDS,
  ENTRY_FIELDS,
  type FieldWord,
  type Fields,
  HOLD_CHANGED,
  HOLD_FIELDS,
  LOG_FIELDS,
  type Statements,
  TALLY_FIELDS,
  assigned,
  listed,
} from './statements.ts'

const TYPES: Readonly<Record<FieldWord, string>> = { int8: 'int8', int4: 'int4', key: 'text', text: 'text' }

/** The rows of the parameter as a table `x`. */
function rowsOf(fields: Fields): string {
  const columns = Object.entries(fields).map(([name, word]) => `${name} ${TYPES[word]}`)
  return `json_to_recordset($1::json) as x(${columns.join(', ')})`
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

const LOG_NAMES = Object.keys(LOG_FIELDS)
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
  lockAccounts: {
    name: 'lock-accounts',
    sql: `select ${ACCOUNT_COLUMNS} from account where id = any($1::int8[]) order by id for update`,
  },
  readHolds: { name: 'read-holds', sql: `select ${HOLD_COLUMNS} from hold where id = any($1::text[])` },
  readEntries: {
    name: 'read-entries',
    sql: `select ${ENTRY_COLUMNS} from entry where op_key = any($1::text[])`,
  },
  lockTasks: {
    name: 'lock-tasks',
    sql: `select ${TASK_COLUMNS} from tasks where id = any($1::int8[]) order by id for update`,
  },

  insertAccounts: { name: 'insert-accounts', sql: insert('account', ACCOUNT_FIELDS) },
  updateAccounts: {
    name: 'update-accounts',
    checksRows: true,
    sql: exactly(
      `update account set ${assigned(ACCOUNT_CHANGED)} from ${rowsOf(ACCOUNT_FIELDS)}
       where account.id = x.id and account.version = x.version - 1`,
    ),
  },
  insertHolds: { name: 'insert-holds', sql: insert('hold', HOLD_FIELDS) },
  updateHolds: {
    name: 'update-holds',
    checksRows: true,
    sql: exactly(
      `update hold set ${assigned(HOLD_CHANGED)} from ${rowsOf(HOLD_FIELDS)} where hold.id = x.id`,
    ),
  },
  deleteHolds: {
    name: 'delete-holds',
    checksRows: true,
    sql: exactly(`delete from hold using ${rowsOf({ id: 'key' })} where hold.id = x.id`),
  },
  insertEntries: { name: 'insert-entries', sql: insert('entry', ENTRY_FIELDS) },
  writeLogs: {
    name: 'write-logs',
    sql: `insert into logs (${listed(LOG_NAMES)}) select ${LOG_VALUES.join(', ')} from ${rowsOf(LOG_FIELDS)}
      left join users u on x.username = '' and u.id = x.user_id
      left join tokens t on x.username = '' and t.id = x.token_id
      on conflict (request_id) do update set (${listed(LOG_NAMES)}) = (${listed(LOG_NAMES, 'excluded.')})`,
  },
  insertTasks: { name: 'insert-tasks', sql: insert('tasks', TASK_FIELDS) },
  endTasks: {
    name: 'end-tasks',
    checksRows: true,
    sql: exactly(
      `update tasks set ${assigned(TASK_CHANGED)} from ${rowsOf(TASK_END_FIELDS)}
       where tasks.id = x.id and tasks.version = x.version - 1`,
    ),
  },
  queueNotices: {
    name: 'queue-notices',
    sql: `${insert('outbox', NOTICE_FIELDS)} on conflict (cause) do nothing`,
  },
  insertTally: { name: 'insert-tally', sql: insert('tally', TALLY_FIELDS) },

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
}
