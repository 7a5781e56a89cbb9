import type { Migration } from './migration.ts'
import type { Traits } from '../database/traits.ts'
import { type TableShape, createTable } from './table.ts'

const sums = {
  calls: 'int8',
  quota: 'int8',
  prompt_tokens: 'int8',
  completion_tokens: 'int8',
  duration_ms: 'int8',
  first_byte_ms: 'int8',
  first_bytes: 'int8',
}
const owner = { user_id: 'int8', username: 'key', token_id: 'int8', token_name: 'key' }
const route = { model_name: 'key', group_name: 'key', channel_id: 'int8' }

const shapes: readonly TableShape[] = [
  {
    name: 'usage_cells',
    columns: { hour_at: 'int8', type: 'int4', ...owner, ...route, ...sums },
    indexes: [{ columns: ['hour_at'] }, { columns: ['user_id', 'hour_at'] }],
  },
  {
    name: 'usage_routes',
    columns: { hour_at: 'int8', type: 'int4', ...route, ...sums },
    indexes: [{ columns: ['hour_at'] }],
  },
  {
    name: 'usage_owners',
    columns: { hour_at: 'int8', type: 'int4', ...owner, ...sums },
    indexes: [
      { columns: ['hour_at'] },
      { columns: ['user_id', 'hour_at'] },
      { columns: ['username', 'hour_at'] },
      { columns: ['token_name', 'hour_at'] },
    ],
  },
  {
    name: 'log_hours',
    columns: { hour_at: 'int8 primary key', first_id: 'int8', last_id: 'int8', calls: 'int8' },
  },
]

/** Callers choose the names, which may have any length, so the index holds only a prefix. */
const PREFIX: Readonly<Record<Traits['engine'], (column: string) => string>> = {
  sqlite: (column) => column,
  postgres: (column) => `(left(${column}, 64))`,
  mysql: (column) => `${column}(64)`,
}

/** Hourly sums of the usage log, and indexes for the filters of the console. */
export const usageSums: Migration = {
  number: 9,
  name: 'usage sums',
  statements: (traits) => [
    ...shapes.flatMap((shape) => createTable(traits, shape)),
    `create index logs_model_name_id on logs (${PREFIX[traits.engine]('model_name')}, id)`,
    `create index logs_token_name_id on logs (${PREFIX[traits.engine]('token_name')}, id)`,
    'create index logs_channel_id_id on logs (channel_id, id)',
  ],
}
