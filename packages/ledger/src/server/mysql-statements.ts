import type { Traits } from '@tollgate/store/database/traits'
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
  /** The rows of the parameter, which are lists, as a table `x`. */
  const rowsOf = (fields: Fields): string => {
    const columns = Object.entries(fields).map(
      ([name, word], index) => `${name} ${types[word]} path '$[${index}]' error on error`,
    )
    return `json_table(?, '$[*]' columns (${columns.join(', ')})) x`
  }
  const itemsOf = (word: FieldWord): string =>
    `json_table(?, '$[*]' columns (item ${types[word]} path '$' error on error)) x`
  const insert = (table: string, fields: Fields): string => {
    const columns = listed(Object.keys(fields))
    return `insert into ${table} (${columns}) select ${columns} from ${rowsOf(fields)}`
  }
  /** Reads or locks the rows whose column has one of the values. */
  const read = <Row extends object>(
    name: string,
    table: RowTable<Row>,
    by: string,
    lock = '',
  ): Statement => ({
    name,
    sql: `select ${table.list('t.')} from ${itemsOf(table.words[by] ?? 'key')}
      straight_join ${table.name} t ${lock && 'force index (primary)'} on t.${by} = x.item ${lock}`,
  })
  const insertRows = <Row>({ name, words }: WrittenTable<Row>): Statement => ({
    name: `insert-${name}`,
    takes: 'lists',
    sql: insert(name, words),
  })
  const updateRows = <Row>(table: WrittenTable<Row>): Statement => ({
    name: `update-${table.name}`,
    takes: 'lists',
    sql: `update ${rowsOf(table.words)} straight_join ${table.name} t force index (primary) on ${isRowOf(table, 't')}
      set ${assigned(table.changed, { to: 't.' })}`,
  })
  const deleteRows = <Row>({ name, words, keys }: WrittenTable<Row>): Statement => ({
    name: `delete-${name}`,
    takes: 'lists',
    sql: `delete t from ${rowsOf(words)} straight_join ${name} t force index (primary)
      on ${keys.map((key) => `t.${key} = x.${key}`).join(' and ')}`,
  })
  const logNames = logTable.columns

  return {
    commitsWithChanges: false,
    list: (values) => JSON.stringify(values),
    lockAccounts: read('lock-accounts', accountTable, 'id', forUpdateOf('t')),
    readHolds: read('read-holds', holdTable, 'id'),
    readEntries: read('read-entries', entryTable, 'op_key'),
    lockTasks: read('lock-tasks', taskTable, 'id', forUpdateOf('t')),
    readAllotments: read('read-allotments', allotmentTable, 'account_id'),
    lockJournals: read('lock-journals', journalTable, 'file_id', forUpdateOf('t')),

    insertAccounts: insertRows(accountTable),
    updateAccounts: updateRows(accountTable),
    // An insertion that skips known rows would lock them; other nodes name the same prices.
    insertPrices: {
      name: 'insert-prices',
      takes: 'lists',
      sql: `insert into price (hash, content) select x.hash, x.content from ${rowsOf(priceTable.words)}
        where not exists (select 1 from price p where p.hash = x.hash)`,
    },
    insertHolds: insertRows(holdTable),
    updateHolds: updateRows(holdTable),
    deleteHolds: deleteRows(holdTable),
    insertAllotments: insertRows(allotmentTable),
    updateAllotments: updateRows(allotmentTable),
    deleteAllotments: deleteRows(allotmentTable),
    insertEntries: insertRows(entryTable),
    insertJournals: insertRows(journalTable),
    updateJournals: updateRows(journalTable),
    insertRejected: insertRows(rejectedTable),
    writeLogs: {
      name: 'write-logs',
      takes: 'lists',
      sql: `insert into logs (${listed(logNames)}) select ${logNames.map(logValue).join(', ')} from ${rowsOf(logTable.words)}
        left join users u on x.username = '' and u.id = x.user_id
        left join tokens t on x.username = '' and t.id = x.token_id
        on duplicate key update ${logNames.map((name) => `${name} = values(${name})`).join(', ')}`,
    },
    insertTasks: insertRows(newTaskTable),
    endTasks: updateRows(taskEndTable),
    queueNotices: {
      name: 'queue-notices',
      takes: 'lists',
      sql: `${insertRows(noticeTable).sql} on duplicate key update outbox.cause = outbox.cause`,
    },
    insertTally: insertRows(tallyTable),

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
    orphanedAllotments: {
      name: 'orphaned-allotments',
      sql: `select instance_id, account_id from allotment
        left join instance on instance.id = allotment.instance_id and instance.state = 'alive'
        where instance.id is null limit ?`,
    },
  }
}

function logValue(name: string): string {
  if (name === 'username') return "coalesce(nullif(x.username, ''), u.username, '')"
  return name === 'token_name'
    ? "case x.username when '' then coalesce(t.name, '') else x.token_name end"
    : `x.${name}`
}
