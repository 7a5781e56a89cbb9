import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

/**
 * Nothing was ever written to the first outbox, so it is created anew with the columns that a worker needs.
 */
const outbox: TableShape = {
  name: 'outbox',
  columns: {
    id: 'id',
    cause: 'key unique',
    kind: 'key',
    payload: 'text',
    state: "key check (state in ('pending', 'taken', 'done', 'failed'))",
    attempts: 'int4',
    due_ms: 'int8',
    created_ms: 'int8',
    reason: 'text',
  },
  indexes: [{ columns: ['state', 'due_ms'] }],
}

const oneTimeCodes: TableShape = {
  name: 'one_time_codes',
  columns: {
    id: 'id',
    purpose: 'key',
    subject: 'key',
    code_hash: 'key',
    failures: 'int4',
    created_ms: 'int8',
    expires_ms: 'int8',
  },
  indexes: [{ columns: ['purpose', 'subject'], isUnique: true }, { columns: ['expires_ms'] }],
}

export const deliveryTables: Migration = {
  number: 4,
  name: 'delivery',
  statements: (traits) => [
    `drop table if exists ${traits.quote('outbox')}`,
    ...[outbox, oneTimeCodes].flatMap((shape) => createTable(traits, shape)),
    // The history of a balance is read by account.
    `create index ${traits.quote('entry_user_acct_id')} on ${traits.quote('entry')} (user_acct, id)`,
  ],
}
