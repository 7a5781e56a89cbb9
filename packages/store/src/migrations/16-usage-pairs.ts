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
const hour = { hour_at: 'int8', type: 'int4' }
const owner = { user_id: 'int8', username: 'key', token_id: 'int8', token_name: 'key' }

/** Tables of sums by user and token, each with one further column. */
const PAIRS = [
  { name: 'usage_owner_groups', part: 'group_name', word: 'key' },
  { name: 'usage_owner_model_days', part: 'model_name', word: 'key' },
  { name: 'usage_owner_group_days', part: 'group_name', word: 'key' },
  { name: 'usage_owner_channel_days', part: 'channel_id', word: 'int8' },
] as const

function shapeOf({ name, part, word }: (typeof PAIRS)[number]): TableShape {
  return {
    name,
    columns: { ...hour, ...owner, [part]: word, ...sums },
    indexes: [{ columns: ['hour_at'] }, { columns: ['user_id', 'hour_at'] }],
  }
}

/**
 * Covering index: the tokens or users with the highest cost of one model, group or channel are found in the
 * index alone.
 */
function rankedIndex({ name, part }: (typeof PAIRS)[number]): string {
  return `create index ${name}_ranked on ${name} (${part}, hour_at, user_id, token_id, type, quota, calls)`
}

/** Indexes to find the hours at the ends of a range, and the hours that are moved between days. */
const CELLS = [
  ['usage_cells_hour_at', 'hour_at, model_name, channel_id'],
  ['usage_cells_user_id_hour_at', 'user_id, hour_at, model_name, channel_id'],
] as const

/**
 * Sums by user and token for each model, group or channel. The job that sums the log fills in the history.
 */
export const usagePairs: Migration = {
  number: 16,
  name: 'usage pairs',
  statements: (traits) => {
    const ofCells = traits.engine === 'mysql' ? ' on usage_cells' : ''
    return [
      ...PAIRS.flatMap((pair) => [...createTable(traits, shapeOf(pair)), rankedIndex(pair)]),
      ...CELLS.flatMap(([name, columns]) => [
        `create index ${name}_routes on usage_cells (${columns})`,
        `drop index ${name}${ofCells}`,
      ]),
    ]
  },
}
