import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

const jobRuns: TableShape = {
  name: 'job_runs',
  columns: {
    name: 'key primary key',
    state: "key check (state in ('idle', 'asked', 'running'))",
    asked_ms: 'int8',
    started_ms: 'int8',
    beat_ms: 'int8',
    ended_ms: 'int8',
    next_ms: 'int8',
    outcome: 'key',
    figures: 'text',
    done: 'int8',
    total: 'int8',
  },
}

const channelKeys: TableShape = {
  name: 'channel_keys',
  columns: {
    id: 'id',
    channel_id: 'int8',
    key_hash: 'key',
    status: 'int4 check (status in (1, 2, 3))',
    reason: 'text',
    status_ms: 'int8',
    uses: 'int8',
    last_used_ms: 'int8',
  },
  indexes: [{ columns: ['channel_id', 'key_hash'], isUnique: true }],
}

const channelTraffic: TableShape = {
  name: 'channel_traffic',
  columns: {
    id: 'id',
    channel_id: 'int8',
    at_ms: 'int8',
    succeeded: 'int8',
    failed: 'int8',
    first_bytes: 'text',
    errors: 'text',
  },
  indexes: [{ columns: ['channel_id', 'at_ms'] }, { columns: ['at_ms'] }],
}

/** Job runs, states of channel keys, channel traffic, and the currency of a channel's balance. */
export const operationTables: Migration = {
  number: 8,
  name: 'operations',
  statements: (traits) => [
    ...[jobRuns, channelKeys, channelTraffic].flatMap((shape) => createTable(traits, shape)),
    `alter table ${traits.quote('channels')} add column ${traits.quote('balance_currency')} ` +
      `${traits.types.key} not null default ''`,
  ],
}
