import type { Migration } from './migration.ts'
import { createTable } from './table.ts'

/** Leases: which process does a job that only one may do, and until when. */
export const leases: Migration = {
  number: 5,
  name: 'leases',
  statements: (traits) =>
    createTable(traits, {
      name: 'lease',
      columns: { name: 'key primary key', holder: 'key', until_ms: 'int8' },
    }),
}
