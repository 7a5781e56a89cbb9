import type { Migration } from './migration.ts'
import { createTable } from './table.ts'

/** Networks from which an account has signed in. */
export const knownNetworks: Migration = {
  number: 20,
  name: 'known networks',
  statements: (traits) =>
    createTable(traits, {
      name: 'known_networks',
      columns: { network_hash: 'key primary key', user_id: 'int8', seen_ms: 'int8' },
      indexes: [{ columns: ['user_id'] }, { columns: ['seen_ms'] }],
    }),
}
