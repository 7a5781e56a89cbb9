import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

const sums = {
  calls: 'int8',
  quota: 'int8',
  prompt_tokens: 'int8',
  completion_tokens: 'int8',
  duration_ms: 'int8',
  first_byte_ms: 'int8',
  first_bytes: 'int8',
  cost: 'int8',
  costed_quota: 'int8',
}
const owner = { user_id: 'int8', username: 'key', token_id: 'int8', token_name: 'key' }
const route = { model_name: 'key', group_name: 'key', channel_id: 'int8' }

const shapes: readonly TableShape[] = [
  {
    name: 'usage_route_days',
    columns: { hour_at: 'int8', type: 'int4', ...route, ...sums },
    indexes: [{ columns: ['hour_at'] }],
  },
  {
    name: 'usage_owner_days',
    columns: { hour_at: 'int8', type: 'int4', ...owner, ...sums },
    indexes: [{ columns: ['hour_at'] }, { columns: ['user_id', 'hour_at'] }],
  },
]

/** Daily sums of the usage log. */
export const usageDays: Migration = {
  number: 15,
  name: 'usage days',
  statements: (traits) => shapes.flatMap((shape) => createTable(traits, shape)),
}
