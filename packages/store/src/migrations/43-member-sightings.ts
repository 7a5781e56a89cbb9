import type { Migration } from './migration.ts'
import { createTable } from './table.ts'

/** Adds request members that no row of the catalogue knows, and those that were taken out of requests. */
export const memberSightings: Migration = {
  number: 43,
  name: 'sightings of members',
  statements: (traits) =>
    createTable(traits, {
      name: 'member_sightings',
      columns: {
        id: 'id',
        kind: 'key',
        wire: 'key',
        member: 'key',
        channel_id: 'int8',
        client: 'key',
        client_version: 'key',
        first_ms: 'int8',
        last_ms: 'int8',
        passed: 'int8',
        taken: 'int8',
      },
      indexes: [{ columns: ['kind', 'wire', 'member', 'channel_id'], isUnique: true }],
    }),
}
