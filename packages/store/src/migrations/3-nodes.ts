import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

/**
 * Amounts that entries add to the totals. They are written with the entries and added up later; only used
 * when several nodes write.
 */
const tally: TableShape = {
  name: 'tally',
  columns: { id: 'id', subject: 'key', used: 'int8', calls: 'int8', last_ms: 'int8' },
}

/**
 * Supports several nodes on one database. With `last_batch` a node finds out whether a commit happened whose
 * response was lost.
 */
export const nodes: Migration = {
  number: 3,
  name: 'nodes',
  statements: (traits) => [
    `alter table ${traits.quote('instance')} add column ${traits.quote('last_batch')} ${traits.types.int8} not null default 0`,
    ...createTable(traits, tally),
  ],
}
