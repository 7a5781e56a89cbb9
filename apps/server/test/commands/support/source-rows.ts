import { createHash } from 'node:crypto'

/**
 * Rows of a made-up installation: thousands of ordinary ones, and each irregularity found in real databases.
 */

export type Cell = null | string | number | bigint | boolean
export type Row = Readonly<Record<string, Cell>>
export type Tables = Readonly<Record<string, readonly Row[]>>

export const USERS = 2_000
export const TOKENS = 3_000
export const LOGS = 5_000
export const CHANNELS = 40

/** Pseudo-random number below `end`, the same in every run and on every engine. */
export function draw(seed: string, end: number): number {
  return createHash('sha256').update(seed).digest().readUInt32BE(0) % end
}

export function word(seed: string, length: number): string {
  return createHash('sha512').update(seed).digest('hex').slice(0, length)
}

/** Password of every made-up user; their rows store its bcrypt hash. */
export const OLD_PASSWORD = 'old-password-1'

export function user(id: number, password: string): Row {
  const earned = id % 10 === 0 ? draw(`earned ${id}`, 90_000) : 0
  return {
    id,
    username: id === 1 ? 'root' : `user${id}`,
    password,
    display_name: `用户 ${id}`,
    role: id === 1 ? 100 : id % 500 === 0 ? 10 : 1,
    status: id % 97 === 0 ? 2 : 1,
    email: id % 3 === 0 ? `User${id}@Example.com` : '',
    github_id: id % 11 === 0 ? `octo${id}` : '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: id % 13 === 0 ? String(10_000 + id) : '',
    access_token: id % 7 === 0 ? word(`access ${id}`, 32) : null,
    quota: draw(`quota ${id}`, 2_000_000_000),
    used_quota: draw(`used ${id}`, 900_000_000),
    request_count: draw(`calls ${id}`, 10_000),
    group: id % 20 === 0 ? 'vip' : 'default',
    aff_code: id === 1 ? '' : word(`aff ${id}`, 4) + String(id),
    aff_count: id % 10 === 0 ? 3 : 0,
    aff_quota: earned === 0 ? 0 : draw(`left ${id}`, earned),
    aff_history: earned,
    inviter_id: id > 10 ? id % 10 : 0,
    deleted_at: id % 101 === 0 ? '2024-05-01 12:34:56+00:00' : null,
    linux_do_id: '',
    setting: id % 4 === 0 ? '{"notify_type":"email","quota_warning_threshold":5000}' : '',
    last_check_in_time: id % 9 === 0 ? '2025-01-02 03:04:05+00:00' : null,
  }
}

export function tokenKey(id: number): string {
  return word(`token ${id}`, 48)
}

export function token(id: number): Row {
  return {
    id,
    user_id: 1 + (id % USERS),
    key: tokenKey(id),
    status: 1,
    name: `token ${id}`,
    created_time: 1_718_000_000 + id,
    accessed_time: 1_719_000_000 + id,
    expired_time: id % 8 === 0 ? 1_700_000_000 : -1,
    remain_quota: draw(`remain ${id}`, 500_000_000),
    unlimited_quota: id % 6 === 0,
    model_limits_enabled: id % 12 === 0,
    model_limits: id % 12 === 0 ? 'gpt-4o,gpt-4o-mini' : '',
    allow_ips: id % 15 === 0 ? '203.0.113.7\n203.0.113.8' : '',
    used_quota: draw(`token used ${id}`, 80_000_000),
    group: id % 25 === 0 ? 'vip' : '',
    deleted_at: id % 60 === 0 ? '2024-05-01 12:34:56+00:00' : null,
  }
}

export function channelKeys(id: number): string {
  return id % 3 === 0 ? `sk-${word(`a ${id}`, 30)}, sk-${word(`b ${id}`, 30)},` : `sk-${word(`a ${id}`, 30)}`
}

/** Contains the credentials of a proxy. */
export function channelSetting(id: number): string {
  return `{"proxy":"http://proxy-${id}:${word(`proxy ${id}`, 20)}@proxy.example:8080"}`
}

export function channel(id: number): Row {
  return {
    id,
    type: 1,
    key: channelKeys(id),
    open_ai_organization: id % 5 === 0 ? 'org-1' : null,
    status: 1 + (id % 3),
    name: `channel ${id}`,
    weight: id % 4,
    created_time: 1_718_000_000,
    test_time: 1_719_000_000,
    response_time: 420,
    base_url: id % 2 === 0 ? 'https://upstream.example/' : '',
    other: null,
    balance: 17.35,
    models: 'gpt-4o, gpt-4o-mini',
    group: id % 2 === 0 ? 'default,vip' : 'default',
    used_quota: draw(`channel ${id}`, 3_000_000_000),
    model_mapping: id % 7 === 0 ? '{"gpt-4o":"gpt-4o-2024-08-06"}' : null,
    status_code_mapping: '',
    priority: id % 9,
    auto_ban: id % 2,
    tag: id % 10 === 0 ? 'east' : null,
    setting: id % 10 === 1 ? channelSetting(id) : null,
    param_override: null,
    model_prefix: '',
  }
}

export function log(id: number): Row {
  return {
    id: id * 2,
    user_id: 1 + (id % USERS),
    created_at: 1_718_000_000 + id,
    type: id % 50 === 0 ? 5 : 2,
    content: '模型倍率 1.25，分组倍率 1.00',
    username: `user${1 + (id % USERS)}`,
    token_name: `token ${id}`,
    model_name: 'gpt-4o',
    quota: draw(`log ${id}`, 100_000),
    prompt_tokens: 100,
    completion_tokens: 20,
    use_time: 3,
    is_stream: id % 2 === 0,
    channel_id: 1 + (id % CHANNELS),
    channel_name: null,
    token_id: id % TOKENS,
    group: 'default',
    other: id % 3 === 0 ? null : '{"model_ratio":1.25}',
  }
}
