import type { Migration } from './migration.ts'
import { createTable } from './table.ts'

/** Adds how many calls of each model were served on each day, for the status page. */
export const modelDays: Migration = {
  number: 34,
  name: 'days of models',
  statements: (traits) =>
    createTable(traits, {
      name: 'model_days',
      columns: { id: 'id', day: 'int4', model: 'key', succeeded: 'int8', failed: 'int8' },
      indexes: [{ columns: ['day', 'model'], isUnique: true }],
    }),
}
