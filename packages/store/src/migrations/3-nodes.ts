import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

/** What entries add to the totals, written with them and taken in later; only where several nodes write. */
const tally: TableShape = {
  name: 'tally',
  columns: { id: 'id', subject: 'key', used: 'int8', calls: 'int8', last_ms: 'int8' },
}

/** For several nodes over one database. `last_batch` tells a node whether a commit whose answer was lost has happened. */
export const nodes: Migration = {
  number: 3,
  name: 'nodes',
  statements: (traits) => [
    `alter table ${traits.quote('instance')} add column ${traits.quote('last_batch')} ${traits.types.int8} not null default 0`,
    ...createTable(traits, tally),
  ],
}
