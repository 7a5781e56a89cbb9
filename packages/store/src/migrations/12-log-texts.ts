import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

const logTexts: TableShape = {
  name: 'log_texts',
  columns: { request_id: 'key primary key', user_id: 'int8', created_at: 'int8', sealed: 'text' },
  indexes: [{ columns: ['created_at'] }],
}

const SUMMED = ['usage_cells', 'usage_routes', 'usage_owners']

/** Stores texts of calls, where the operator keeps them, and the operator's cost of each call. */
export const logTextsAndCosts: Migration = {
  number: 12,
  name: 'log texts and costs',
  statements: (traits) => {
    const { int8 } = traits.types
    return [
      ...createTable(traits, logTexts),
      `alter table ${traits.quote('logs')} add column cost ${int8} null`,
      ...SUMMED.flatMap((table) => [
        `alter table ${traits.quote(table)} add column cost ${int8} not null default 0`,
        `alter table ${traits.quote(table)} add column costed_quota ${int8} not null default 0`,
      ]),
    ]
  },
}
