import type { Migration } from './migration.ts'
import { createTable } from './table.ts'

/** Adds open alerts, and what each process last reported about itself. */
export const alerts: Migration = {
  number: 33,
  name: 'alerts and figures of processes',
  statements: (traits) => [
    ...createTable(traits, {
      name: 'open_alerts',
      columns: {
        name: 'key primary key',
        rule: 'key',
        subject: 'key',
        words: 'text',
        since_ms: 'int8',
        is_sent: 'int4',
      },
    }),
    ...createTable(traits, {
      name: 'node_figures',
      columns: { id: 'key primary key', at_ms: 'int8', figures: 'text' },
    }),
  ],
}
