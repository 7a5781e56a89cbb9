import type { Migration } from './migration.ts'
import { createTable } from './table.ts'

/** What one process at a time does, and until when it may. */
export const leases: Migration = {
  number: 5,
  name: 'leases',
  statements: (traits) =>
    createTable(traits, {
      name: 'lease',
      columns: { name: 'key primary key', holder: 'key', until_ms: 'int8' },
    }),
}
