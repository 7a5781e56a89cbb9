import type { Migration } from './migration.ts'
import { createTable } from './table.ts'

/** Change notices for processes that share the database but no Redis. */
export const changes: Migration = {
  number: 19,
  name: 'changes',
  statements: (traits) =>
    createTable(traits, {
      name: 'changes',
      columns: {
        number: 'int8 primary key',
        entity: 'key',
        row_id: 'key',
        origin: 'key',
        noted_ms: 'int8',
      },
      indexes: [{ columns: ['noted_ms'] }],
    }),
}
