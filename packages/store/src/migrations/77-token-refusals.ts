import type { Migration } from './migration.ts'
import { createTable } from './table.ts'

/** Adds how many calls of each token were refused, by reason, in quarters of an hour. */
export const tokenRefusals: Migration = {
  number: 77,
  name: 'token refusals',
  statements: (traits) =>
    createTable(traits, {
      name: 'token_refusals',
      columns: {
        id: 'id',
        token_id: 'int8',
        quarter_at: 'int8',
        code: 'key',
        refused: 'int8',
      },
      indexes: [{ columns: ['token_id', 'quarter_at', 'code'], isUnique: true }, { columns: ['quarter_at'] }],
    }),
}
