import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

const redemptions: TableShape = {
  name: 'redemptions',
  columns: {
    id: 'id',
    user_id: 'int8',
    key_hash: 'key unique',
    key_sealed: 'text',
    status: 'int4 check (status in (1, 2, 3))',
    name: 'key',
    quota: 'int8 check (quota >= 0)',
    created_time: 'int8',
    redeemed_time: 'int8',
    valid_from: 'int8',
    valid_until: 'int8',
    used_user_id: 'int8',
    is_gift: 'int4 check (is_gift in (0, 1))',
    max_uses: 'int8 check (max_uses >= -1)',
    used_count: 'int8 check (used_count >= 0)',
    version: 'int8',
    deleted_ms: 'int8 null',
  },
  constraints: ['check (max_uses = -1 or used_count <= max_uses)'],
  indexes: [{ columns: ['name'] }, { columns: ['status', 'id'] }],
}

const redemptionUses: TableShape = {
  name: 'redemption_uses',
  columns: { id: 'id', redemption_id: 'int8', user_id: 'int8', used_time: 'int8' },
  indexes: [{ columns: ['redemption_id', 'user_id'], isUnique: true }, { columns: ['user_id', 'id'] }],
}

const topUps: TableShape = {
  name: 'top_ups',
  columns: {
    id: 'id',
    user_id: 'int8',
    trade_no: 'key unique',
    gateway: 'key',
    method: 'key',
    quota: 'int8 check (quota >= 0)',
    money: 'key',
    currency: 'key',
    status: "key check (status in ('pending', 'success', 'failed', 'closed'))",
    provider_trade_no: 'key null unique',
    create_time: 'int8',
    complete_time: 'int8',
  },
  indexes: [{ columns: ['user_id', 'id'] }, { columns: ['status', 'create_time'] }],
}

const tasks: TableShape = {
  name: 'tasks',
  columns: {
    id: 'id',
    platform: 'key',
    task_id: 'key',
    user_id: 'int8',
    token_id: 'int8',
    channel_id: 'int8',
    request_id: 'key null unique',
    action: 'key',
    status: 'key',
    progress: 'key',
    fail_reason: 'text',
    quota: 'int8 check (quota >= 0)',
    submit_ms: 'int8',
    start_ms: 'int8',
    finish_ms: 'int8',
    deadline_ms: 'int8',
    secret_hash: 'key',
    detail: 'text',
    created_ms: 'int8',
    updated_ms: 'int8',
    version: 'int8',
  },
  indexes: [
    { columns: ['user_id', 'id'] },
    { columns: ['platform', 'task_id'] },
    { columns: ['status', 'id'] },
    { columns: ['submit_ms'] },
  ],
}

const usageHours: TableShape = {
  name: 'usage_hours',
  columns: {
    id: 'id',
    user_id: 'int8',
    username: 'key',
    model_name: 'key',
    hour_at: 'int8',
    calls: 'int8',
    used_tokens: 'int8',
    quota: 'int8',
  },
  indexes: [{ columns: ['user_id', 'model_name', 'hour_at'], isUnique: true }, { columns: ['hour_at'] }],
}

/** Redemption codes, orders, tasks, and hourly usage of earlier systems. */
export const tradeTables: Migration = {
  number: 7,
  name: 'trade',
  statements: (traits) =>
    [redemptions, redemptionUses, topUps, tasks, usageHours].flatMap((shape) => createTable(traits, shape)),
}
