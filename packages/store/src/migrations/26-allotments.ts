import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

/** Quota of an account that is set aside for one process; part of the account's `reserved`. */
const allotment: TableShape = {
  name: 'allotment',
  columns: {
    account_id: 'int8 references account (id)',
    instance_id: 'key',
    amount: 'int8 check (amount >= 0)',
    free: 'int8 check (free >= 0)',
    open_holds: 'int8 check (open_holds >= 0)',
    exposed: 'int8 check (exposed >= 0)',
    budget_since_ms: 'int8',
    budget_amount: 'int8 check (budget_amount >= 0)',
    budget_free: 'int8 check (budget_free >= 0)',
  },
  constraints: [
    'primary key (account_id, instance_id)',
    'check (free <= amount)',
    'check (budget_free <= budget_amount)',
  ],
  indexes: [{ columns: ['instance_id'] }],
}

/** How far each journal file is folded. */
const journal: TableShape = {
  name: 'journal',
  columns: {
    file_id: 'key primary key',
    instance_id: 'key',
    position: 'int8',
    open_from: 'int8',
    updated_ms: 'int8',
  },
}

/** Journal lines that could not be folded. */
const rejected: TableShape = {
  name: 'journal_rejected',
  columns: {
    id: 'id',
    file_id: 'key',
    position: 'int8',
    line: 'text',
    reason: 'text',
    created_ms: 'int8',
  },
}

/** At most one row: the id by which journals name the database that they belong to. */
const identity: TableShape = { name: 'database_identity', columns: { id: 'key primary key' } }

export const allotments: Migration = {
  number: 26,
  name: 'allotments',
  statements: (traits) =>
    [allotment, journal, rejected, identity].flatMap((shape) => createTable(traits, shape)),
}
