import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

/**
 * Which installation the database belongs to. At most one row. `unconfirmed_ms` is 0, or since when the database counts as
 * a copy of another one; `predecessor` is the installation that it was a copy of.
 */
const installation: TableShape = {
  name: 'installation',
  columns: { id: 'key primary key', predecessor: 'key', unconfirmed_ms: 'int8', cause: 'key' },
}

export const installations: Migration = {
  number: 72,
  name: 'installations',
  statements: (traits) => createTable(traits, installation),
}
