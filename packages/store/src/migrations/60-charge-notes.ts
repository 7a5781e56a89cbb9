import type { Migration } from './migration.ts'
import { createTable } from './table.ts'

/** Adds what was unusual about charges, summed by day, kind, channel and model. */
export const chargeNotes: Migration = {
  number: 60,
  name: 'notes about charges',
  statements: (traits) =>
    createTable(traits, {
      name: 'charge_notes',
      columns: {
        id: 'id',
        day: 'int8',
        kind: 'key',
        channel_id: 'int8',
        model: 'key',
        detail: 'text',
        calls: 'int8',
        quota: 'int8',
        first_ms: 'int8',
        last_ms: 'int8',
      },
      indexes: [{ columns: ['day', 'kind', 'channel_id', 'model'], isUnique: true }],
    }),
}
