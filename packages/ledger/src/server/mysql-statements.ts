import type { Traits } from '@tollgate/store/database/traits'
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
  listed,
} from './statements.ts'

const NOW_MS = 'floor(unix_timestamp(now(6)) * 1000)'

/** Differences between MySQL and MariaDB. */
type Dialect = Pick<Traits, 'collation' | 'forUpdateOf'>

/**
 * `collation` must be that of the tables: keys are compared with it, and an index of another collation is not
 * used. Locking statements join from the parameter list to the table by primary key, so that they never lock
 * other rows that they scan.
 */
export function mysqlStatements({ collation, forUpdateOf }: Dialect): Statements {
  const alike = `character set utf8mb4 collate ${collation}`
  const types: Readonly<Record<FieldWord, string>> = {
    int8: 'bigint',
    int4: 'int',
    key: `varchar(255) ${alike}`,
    text: `mediumtext ${alike}`,
  }
  /** The rows of the parameter as a table `x`. */
  const rowsOf = (fields: Fields): string => {
    const columns = Object.entries(fields).map(
      ([name, word]) => `${name} ${types[word]} path '$.${name}' error on error`,
    )
    return `json_table(?, '$[*]' columns (${columns.join(', ')})) x`
  }
  const itemsOf = (word: FieldWord): string =>
    `json_table(?, '$[*]' columns (item ${types[word]} path '$' error on error)) x`
  const insert = (table: string, fields: Fields): string => {
    const columns = listed(Object.keys(fields))
    return `insert into ${table} (${columns}) select ${columns} from ${rowsOf(fields)}`
  }
  const logNames = Object.keys(LOG_FIELDS)

  return {
    commitsWithChanges: false,
    list: (values) => JSON.stringify(values),
    lockAccounts: {
      name: 'lock-accounts',
      sql: `select ${listed(ACCOUNT_COLUMNS.split(', '), 'a.')} from ${itemsOf('int8')}
        straight_join account a force index (primary) on a.id = x.item ${forUpdateOf('a')}`,
    },
    readHolds: {
      name: 'read-holds',
      sql: `select ${listed(HOLD_COLUMNS.split(', '), 'h.')} from ${itemsOf('key')} straight_join hold h on h.id = x.item`,
    },
    readEntries: {
      name: 'read-entries',
      sql: `select ${listed(ENTRY_COLUMNS.split(', '), 'e.')} from ${itemsOf('key')} straight_join entry e on e.op_key = x.item`,
    },
    lockTasks: {
      name: 'lock-tasks',
      sql: `select ${listed(TASK_COLUMNS.split(', '), 't.')} from ${itemsOf('int8')}
        straight_join tasks t force index (primary) on t.id = x.item ${forUpdateOf('t')}`,
    },

    insertAccounts: { name: 'insert-accounts', sql: insert('account', ACCOUNT_FIELDS) },
    updateAccounts: {
      name: 'update-accounts',
      sql: `update ${rowsOf(ACCOUNT_FIELDS)} straight_join account a force index (primary) on a.id = x.id
        set ${assignedTo('a', ACCOUNT_CHANGED)} where a.version = x.version - 1`,
    },
    insertHolds: { name: 'insert-holds', sql: insert('hold', HOLD_FIELDS) },
    updateHolds: {
      name: 'update-holds',
      sql: `update ${rowsOf(HOLD_FIELDS)} straight_join hold h force index (primary) on h.id = x.id
        set ${assignedTo('h', HOLD_CHANGED)}`,
    },
    deleteHolds: {
      name: 'delete-holds',
      sql: `delete h from ${rowsOf({ id: 'key' })} straight_join hold h force index (primary) on h.id = x.id`,
    },
    insertEntries: { name: 'insert-entries', sql: insert('entry', ENTRY_FIELDS) },
    writeLogs: {
      name: 'write-logs',
      sql: `insert into logs (${listed(logNames)}) select ${logNames.map(logValue).join(', ')} from ${rowsOf(LOG_FIELDS)}
        left join users u on x.username = '' and u.id = x.user_id
        left join tokens t on x.username = '' and t.id = x.token_id
        on duplicate key update ${logNames.map((name) => `${name} = values(${name})`).join(', ')}`,
    },
    insertTasks: { name: 'insert-tasks', sql: insert('tasks', TASK_FIELDS) },
    endTasks: {
      name: 'end-tasks',
      sql: `update ${rowsOf(TASK_END_FIELDS)} straight_join tasks t force index (primary) on t.id = x.id
        set ${assignedTo('t', TASK_CHANGED)} where t.version = x.version - 1`,
    },
    queueNotices: {
      name: 'queue-notices',
      sql: `${insert('outbox', NOTICE_FIELDS)} on duplicate key update outbox.cause = outbox.cause`,
    },
    insertTally: { name: 'insert-tally', sql: insert('tally', TALLY_FIELDS) },

    enter: {
      name: 'enter',
      sql: `insert into instance (id, started_ms, heartbeat_ms, state) values (?, ?, ${NOW_MS}, 'alive')`,
    },
    note: {
      name: 'note',
      sql: `update instance set last_batch = ?, heartbeat_ms = ${NOW_MS} where id = ? and state = 'alive'`,
    },
    lastBatch: { name: 'last-batch', sql: 'select last_batch from instance where id = ? for update' },
    leave: { name: 'leave', sql: `update instance set state = 'ended' where id = ? and state = 'alive'` },
    silentInstances: {
      name: 'silent-instances',
      sql: `select id from instance where state = 'alive' and heartbeat_ms < ${NOW_MS} - ?`,
    },
    declareDead: {
      name: 'declare-dead',
      sql: `update instance set state = 'dead' where id = ? and state = 'alive' and heartbeat_ms < ${NOW_MS} - ?`,
    },
    orphanedHolds: {
      name: 'orphaned-holds',
      sql: `select hold.id, user_acct, token_acct from hold force index (primary)
        left join instance on instance.id = hold.instance_id and instance.state = 'alive'
        where hold.id > ? and instance.id is null order by hold.id limit ?`,
    },
  }
}

function assignedTo(table: string, names: readonly string[]): string {
  return names.map((name) => `${table}.${name} = x.${name}`).join(', ')
}

function logValue(name: string): string {
  if (name === 'username') return "coalesce(nullif(x.username, ''), u.username, '')"
  return name === 'token_name'
    ? "case x.username when '' then coalesce(t.name, '') else x.token_name end"
    : `x.${name}`
}
