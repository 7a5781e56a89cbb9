import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

const users: TableShape = {
  name: 'users',
  columns: {
    id: 'id',
    username: 'key',
    username_key: 'key unique',
    password_hash: 'text',
    display_name: 'text',
    role: 'int4',
    status: 'int4',
    email: 'key',
    github_id: 'key',
    oidc_id: 'key',
    wechat_id: 'key',
    telegram_id: 'key',
    linux_do_id: 'key',
    access_token_hash: 'key null unique',
    group_name: 'key',
    aff_code: 'key',
    aff_count: 'int8',
    inviter_id: 'int8',
    setting: 'text',
    last_check_in_ms: 'int8 null',
    created_ms: 'int8',
    deleted_ms: 'int8 null',
  },
  indexes: [
    ...['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'aff_code'].map(
      (column) => ({
        columns: [column],
        isUniqueUnlessEmpty: true,
      }),
    ),
    { columns: ['inviter_id'] },
  ],
}

const sessions: TableShape = {
  name: 'sessions',
  columns: {
    id_hash: 'key primary key',
    user_id: 'int8',
    created_ms: 'int8',
    seen_ms: 'int8',
    expires_ms: 'int8',
    proven_ms: 'int8',
    address: 'text',
    user_agent: 'text',
  },
  indexes: [{ columns: ['user_id'] }, { columns: ['expires_ms'] }],
}

const tokens: TableShape = {
  name: 'tokens',
  columns: {
    id: 'id',
    user_id: 'int8',
    name: 'text',
    key_hash: 'key unique',
    key_sealed: 'text',
    key_preview: 'text',
    status: 'int4',
    created_time: 'int8',
    accessed_time: 'int8',
    expired_time: 'int8',
    unlimited_quota: 'int4',
    model_limits_enabled: 'int4',
    model_limits: 'text',
    allow_ips: 'text',
    group_name: 'key',
    deleted_ms: 'int8 null',
  },
  indexes: [{ columns: ['user_id', 'id'] }],
}

const channels: TableShape = {
  name: 'channels',
  columns: {
    id: 'id',
    type: 'int4',
    name: 'text',
    key_sealed: 'text',
    key_preview: 'text',
    status: 'int4',
    base_url: 'text',
    other: 'text',
    models: 'text',
    group_names: 'text',
    model_mapping: 'text',
    status_code_mapping: 'text',
    param_override: 'text',
    header_override: 'text',
    setting: 'text',
    model_prefix: 'text',
    openai_organization: 'text',
    test_model: 'text',
    tag: 'key',
    priority: 'int8',
    weight: 'int8',
    auto_ban: 'int4',
    other_info: 'text',
    balance: 'real',
    balance_updated_time: 'int8',
    response_time: 'int8',
    test_time: 'int8',
    created_time: 'int8',
    version: 'int8',
  },
  indexes: [{ columns: ['tag'] }],
}

const logs: TableShape = {
  name: 'logs',
  columns: {
    id: 'id',
    request_id: 'key null unique',
    user_id: 'int8',
    created_at: 'int8',
    type: 'int4',
    content: 'text',
    username: 'text',
    token_id: 'int8',
    token_name: 'text',
    model_name: 'text',
    quota: 'int8',
    prompt_tokens: 'int8',
    completion_tokens: 'int8',
    use_time: 'int8',
    duration_ms: 'int8',
    first_byte_ms: 'int8',
    is_stream: 'int4',
    channel_id: 'int8',
    group_name: 'text',
    ip: 'text',
    other: 'text',
  },
  indexes: [{ columns: ['user_id', 'id'] }, { columns: ['created_at'] }, { columns: ['type', 'created_at'] }],
}

const others: readonly TableShape[] = [
  {
    name: 'options',
    columns: {
      key: 'key primary key',
      value: 'text',
      version: 'int8',
      updated_ms: 'int8',
      updated_by: 'int8',
    },
  },
  {
    name: 'option_changes',
    columns: {
      id: 'id',
      key: 'key',
      before_value: 'text null',
      after_value: 'text',
      version: 'int8',
      changed_ms: 'int8',
      changed_by: 'int8',
    },
    indexes: [{ columns: ['key', 'id'] }],
  },
  {
    name: 'price_books',
    columns: { version: 'id', content_hash: 'key unique', content: 'text', created_ms: 'int8' },
  },
  { name: 'setups', columns: { id: 'int8 primary key', version: 'text', initialized_at: 'int8' } },
  {
    name: 'audit_log',
    columns: {
      id: 'id',
      actor_id: 'int8',
      action: 'key',
      entity: 'key',
      entity_id: 'key',
      before_json: 'text null',
      after_json: 'text null',
      address: 'text',
      created_ms: 'int8',
    },
    indexes: [{ columns: ['created_ms'] }, { columns: ['entity', 'entity_id'] }],
  },
]

export const siteTables: Migration = {
  number: 2,
  name: 'site',
  statements: (traits) =>
    [users, sessions, tokens, channels, logs, ...others].flatMap((shape) => createTable(traits, shape)),
}
