import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

/** The frozen prices that holds and entries name by their content hash. */
const price: TableShape = { name: 'price', columns: { hash: 'key primary key', content: 'text' } }

/** Stores each price once. Rows that were written before keep their own JSON. */
export const prices: Migration = {
  number: 29,
  name: 'prices stored once',
  statements: (traits) => [
    ...createTable(traits, price),
    ...['hold', 'entry'].map(
      (table) => `alter table ${traits.quote(table)} add column price_hash ${traits.types.key} null`,
    ),
  ],
}
