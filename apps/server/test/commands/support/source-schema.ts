/** Tables of the reference system, in the words of its schema: see the codes below. */

export type SourceEngine = 'sqlite' | 'mysql' | 'postgres'

/** One letter a type; what follows is written as it is. `id` is the generated primary key. */
const TYPES: Readonly<Record<SourceEngine, Readonly<Record<string, string>>>> = {
  sqlite: {
    I: 'integer',
    U: 'integer',
    S: 'text',
    K: 'text',
    F: 'real',
    B: 'numeric',
    T: 'datetime',
    J: 'json',
  },
  mysql: {
    I: 'bigint',
    U: 'bigint unsigned',
    S: 'longtext',
    K: 'varchar(191)',
    F: 'double',
    B: 'tinyint(1)',
    T: 'datetime(3)',
    J: 'json',
  },
  postgres: {
    I: 'bigint',
    U: 'bigint',
    S: 'text',
    K: 'text',
    F: 'decimal',
    B: 'boolean',
    T: 'timestamptz',
    J: 'json',
  },
}

const IDS: Readonly<Record<SourceEngine, string>> = {
  sqlite: 'integer primary key',
  mysql: 'bigint primary key auto_increment',
  postgres: 'bigserial primary key',
}

export const SOURCE_TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: {
    id: 'id',
    username: 'K unique',
    password: 'S not null',
    display_name: 'K',
    role: 'I default 1',
    status: 'I default 1',
    email: 'K',
    github_id: 'K',
    oidc_id: 'K',
    wechat_id: 'K',
    telegram_id: 'K',
    access_token: 'char(32) unique',
    quota: 'I default 0',
    used_quota: 'I default 0',
    request_count: 'I default 0',
    group: "varchar(64) default 'default'",
    aff_code: 'varchar(32) unique',
    aff_count: 'I default 0',
    aff_quota: 'I default 0',
    aff_history: 'I default 0',
    inviter_id: 'I',
    deleted_at: 'T',
    linux_do_id: 'K',
    setting: 'S',
    last_check_in_time: 'T',
  },
  tokens: {
    id: 'id',
    user_id: 'I',
    key: 'char(48) unique',
    status: 'I default 1',
    name: 'K',
    created_time: 'I',
    accessed_time: 'I',
    expired_time: 'I default -1',
    remain_quota: 'I default 0',
    unlimited_quota: 'B',
    model_limits_enabled: 'B',
    model_limits: "varchar(1024) default ''",
    allow_ips: "K default ''",
    used_quota: 'I default 0',
    group: "K default ''",
    deleted_at: 'T',
  },
  channels: {
    id: 'id',
    type: 'I default 0',
    key: 'S not null',
    open_ai_organization: 'S',
    test_model: 'S',
    status: 'I default 1',
    name: 'K',
    weight: 'U default 0',
    created_time: 'I',
    test_time: 'I',
    response_time: 'I',
    base_url: "K default ''",
    other: 'S',
    balance: 'F',
    balance_updated_time: 'I',
    models: 'S',
    group: "varchar(64) default 'default'",
    used_quota: 'I default 0',
    model_mapping: 'S',
    status_code_mapping: "varchar(1024) default ''",
    priority: 'I default 0',
    auto_ban: 'I default 1',
    other_info: 'S',
    tag: 'K',
    setting: 'S',
    param_override: 'S',
    model_prefix: "varchar(64) default ''",
  },
  abilities: {
    group: 'varchar(64)',
    model: 'varchar(255)',
    channel_id: 'I',
    enabled: 'B',
    priority: 'I default 0',
    weight: 'U default 0',
    tag: 'K',
  },
  options: { key: 'K primary key', value: 'S' },
  setups: { id: 'id', version: 'varchar(50) not null', initialized_at: 'I not null' },
  redemptions: {
    id: 'id',
    user_id: 'I',
    key: 'char(32) unique',
    status: 'I default 1',
    name: 'K',
    quota: 'I default 100',
    created_time: 'I',
    redeemed_time: 'I',
    valid_from: 'I default 0',
    valid_until: 'I default 0',
    used_user_id: 'I',
    is_gift: 'B',
    max_uses: 'I default -1',
    used_count: 'I default 0',
    deleted_at: 'T',
  },
  top_ups: {
    id: 'id',
    user_id: 'I',
    amount: 'I',
    money: 'F',
    trade_no: 'S',
    create_time: 'I',
    status: 'S',
  },
  tasks: {
    id: 'id',
    created_at: 'I',
    task_id: 'varchar(50)',
    user_id: 'I',
    quota: 'I',
    status: 'varchar(20)',
    properties: 'J',
    data: 'J',
  },
  quota_data: {
    id: 'id',
    user_id: 'I',
    username: "varchar(64) default ''",
    model_name: "varchar(64) default ''",
    created_at: 'I',
    token_used: 'I default 0',
    count: 'I default 0',
    quota: 'I default 0',
  },
  logs: {
    id: 'id',
    user_id: 'I',
    created_at: 'I',
    type: 'I',
    content: 'S',
    username: "K default ''",
    token_name: "K default ''",
    model_name: "K default ''",
    quota: 'I default 0',
    prompt_tokens: 'I default 0',
    completion_tokens: 'I default 0',
    use_time: 'I default 0',
    is_stream: 'B',
    channel_id: 'I',
    channel_name: 'S',
    token_id: 'I default 0',
    group: 'K',
    other: 'S',
  },
}

export function quoted(engine: SourceEngine, identifier: string): string {
  return engine === 'mysql' ? `\`${identifier}\`` : `"${identifier}"`
}

/** `leftOut`: columns that an older release did not have. */
export function createStatement(
  engine: SourceEngine,
  table: string,
  leftOut: readonly string[] = [],
): string {
  const columns = Object.entries(SOURCE_TABLES[table] ?? {})
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, words]) => `${quoted(engine, name)} ${typeOf(engine, words)}`)
  return `create table ${quoted(engine, table)} (${columns.join(', ')})`
}

function typeOf(engine: SourceEngine, words: string): string {
  if (words === 'id') return IDS[engine]
  const [first = '', ...rest] = words.split(' ')
  return [TYPES[engine][first] ?? first, ...rest].join(' ')
}
