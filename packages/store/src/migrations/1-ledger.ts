import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

const account: TableShape = {
  name: 'account',
  columns: {
    id: 'int8 primary key',
    kind: "key check (kind in ('user', 'token', 'affiliate'))",
    owner_id: 'int8',
    granted: 'int8',
    remaining: 'int8 check (remaining >= 0)',
    reserved: 'int8 check (reserved >= 0)',
    used: 'int8 check (used >= 0)',
    debt: 'int8 check (debt >= 0)',
    followed: 'int8',
    unlimited: 'int4 check (unlimited in (0, 1))',
    version: 'int8',
  },
  constraints: [
    'unique (kind, owner_id)',
    'check (granted + debt = remaining + reserved + used)',
    'check (remaining = 0 or debt = 0)',
    "check (id = owner_id * 4 + case kind when 'user' then 0 when 'token' then 1 else 2 end)",
    "check (kind = 'token' or (unlimited = 0 and followed = 0))",
  ],
}

const hold: TableShape = {
  name: 'hold',
  columns: {
    id: 'key primary key',
    user_acct: 'int8 references account (id)',
    token_acct: 'int8 null references account (id)',
    token_followed: 'int4 check (token_followed in (0, 1))',
    amount: 'int8 check (amount >= 0)',
    ceiling: 'int8',
    checkpoint: 'int8 check (checkpoint >= 0)',
    price_json: 'text',
    channel_id: 'int8 null',
    instance_id: 'key',
    created_ms: 'int8',
  },
  constraints: ['check (ceiling >= amount)'],
}

/** The unique key makes every operation happen at most once. The checks tie it to the request or task. */
const entry: TableShape = {
  name: 'entry',
  columns: {
    id: 'id',
    op_key: 'key unique',
    kind: "key check (kind in ('credit', 'adjust', 'consume', 'correction', 'refund'))",
    request_id: 'key null',
    task_id: 'key null',
    user_acct: 'int8 references account (id)',
    token_acct: 'int8 null references account (id)',
    channel_id: 'int8 null',
    amount: 'int8',
    flags: 'text',
    waived: 'int8 check (waived >= 0)',
    balance_after: 'int8 null',
    price_json: 'text null',
    usage_json: 'text null',
    note: 'text null',
    created_ms: 'int8',
  },
  constraints: [
    "check (amount >= 0 or kind in ('adjust', 'correction'))",
    "check (kind <> 'consume' or request_id is null or op_key = 'consume:' || request_id)",
    "check (kind <> 'correction' or op_key = 'correction:' || request_id)",
    "check (kind <> 'refund' or op_key = 'refund:' || task_id)",
  ],
}

const others: readonly TableShape[] = [
  {
    name: 'entry_rollup',
    columns: {
      account: 'int8',
      channel_id: 'int8',
      up_to_ms: 'int8',
      consume_sum: 'int8',
      refund_sum: 'int8',
      credit_sum: 'int8',
    },
    constraints: ['primary key (account, channel_id)'],
  },
  {
    name: 'instance',
    columns: {
      id: 'key primary key',
      started_ms: 'int8',
      heartbeat_ms: 'int8',
      state: "key check (state in ('alive', 'ended', 'dead'))",
    },
  },
  {
    name: 'outbox',
    columns: {
      id: 'id',
      kind: 'key',
      payload: 'text',
      state: "key check (state in ('pending', 'done', 'failed'))",
      created_ms: 'int8',
    },
    indexes: [{ columns: ['state', 'id'] }],
  },
  { name: 'totals', columns: { subject: 'key primary key', used: 'int8', calls: 'int8', last_ms: 'int8' } },
  { name: 'watermarks', columns: { name: 'key primary key', position: 'int8' } },
]

export const ledgerTables: Migration = {
  number: 1,
  name: 'ledger',
  statements: (traits) => [account, hold, entry, ...others].flatMap((shape) => createTable(traits, shape)),
}
