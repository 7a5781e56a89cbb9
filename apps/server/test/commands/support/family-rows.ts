import { hash } from 'bcryptjs'
import { type Release, isIn } from './family-schema.ts'
import type { Row, Tables } from './source-rows.ts'
import type { SourceSchema } from './source-schema.ts'

/** A small installation, in the words of the source: what a column holds, not what the import makes of it. */

export const FAMILY_PASSWORD = 'family-password-1'
const PAST = 1_700_000_001
const FUTURE = 1_900_000_000
const LONG_AGO = '2024-05-01 12:34:56+00:00'

export const KEYS = { open: 'o', ended: 'e', off: 'f', limited: 'l', spent: 's' } as const

export function keyOf(name: keyof typeof KEYS): string {
  return KEYS[name].repeat(48)
}

export function codeOf(letter: string): string {
  return letter.repeat(32)
}

export const MODEL_RATIOS =
  '{"gpt-4o":1.25,"gpt-4o-mini":0.075,"priced-by-expression":99,"priced-by-hour":99}'
export const CODE_QUOTA = 500_000
export const ALL_CODES = { endless: 'a', ended: 'b', open: 'c', used: 'd', off: '9' } as const

export async function makeRows(release: Release): Promise<Tables> {
  const password = await hash(FAMILY_PASSWORD, 4)
  const person = (id: number, more: Row): Row => ({
    id,
    username: `person${id}`,
    password,
    display_name: '',
    role: 1,
    status: 1,
    quota: 1_000_000,
    used_quota: 2_000,
    request_count: 3,
    group: 'default',
    aff_code: `c${id}`,
    aff_quota: 0,
    aff_history: 0,
    inviter_id: 0,
    ...more,
  })
  return {
    users: [
      person(1, { username: 'root', role: 100 }),
      person(2, { remark: 'pays late', setting: '{"notify_type":"bark","bark_url":"https://b.example"}' }),
      person(3, { status: 2, discord_id: '80351', stripe_customer: 'cus_1', lark_id: 'ou_1' }),
      person(4, { deleted_at: LONG_AGO }),
      person(5, { group: 'vip', auth_version: 4, last_login_at: PAST }),
    ],
    tokens: [
      token(1, 'open', {}),
      token(2, 'ended', { expired_time: PAST }),
      token(3, 'off', { status: 2 }),
      token(4, 'limited', {
        model_limits_enabled: true,
        model_limits: 'gpt-4o',
        models: 'gpt-4o',
        allow_ips: '203.0.113.7',
        subnet: '203.0.113.7',
        group: 'auto',
        cross_group_retry: true,
        auto_groups: '["vip","default"]',
      }),
      token(5, 'spent', { remain_quota: 0, status: 4 }),
    ],
    channels: [
      channel(1, { name: 'plain', key: 'sk-plain-key-of-the-channel', remark: 'my note' }),
      channel(2, {
        name: 'several',
        key: 'sk-first-key-0000\nsk-second-key-000\nsk-third-key-0000',
        channel_info: JSON.stringify({
          is_multi_key: true,
          multi_key_size: 3,
          multi_key_status_list: { 1: 3, 2: 2 },
          multi_key_disabled_reason: { 1: '401 invalid key' },
          multi_key_disabled_time: { 1: PAST },
          multi_key_polling_index: 1,
          multi_key_mode: 'polling',
        }),
        settings: '{"disable_store":true,"openrouter_enterprise":true}',
      }),
      channel(3, { name: 'off by itself', status: 3, other_info: '{"status_reason":"401"}' }),
      // Cloudflare in one-api; AI Proxy library's neighbour Dify in new-api.
      channel(4, { name: 'of another number', type: 37, config: '{"user_id":"account-1"}' }),
    ],
    abilities: [],
    options: options(release),
    setups: [{ id: 1, version: 'v', initialized_at: PAST }],
    redemptions: [
      code(1, 'endless', {}),
      code(2, 'ended', { expired_time: PAST }),
      code(3, 'open', { expired_time: FUTURE }),
      code(4, 'used', { status: 3, used_user_id: 2, redeemed_time: PAST }),
      code(5, 'off', { status: 2, expired_time: -5 }),
    ],
    top_ups: [
      order(1, 'epay', { amount: 10, money: 73, payment_method: 'alipay', status: 'success' }),
      order(2, 'epay', { amount: 5, money: 36.5, payment_method: 'wxpay' }),
      // Older releases know no other gateway.
      ...(isIn(release, '2025-10') ? ordersElsewhere() : []),
    ],
    tasks: [],
    midjourneys: [],
    quota_data: [],
    logs: [
      {
        id: 1,
        user_id: 2,
        created_at: PAST,
        type: 2,
        content: '',
        username: 'person2',
        token_name: 'open',
        model_name: 'gpt-4o',
        quota: 10,
        prompt_tokens: 1,
        completion_tokens: 2,
        channel_id: 1,
        is_stream: false,
        request_id: 'req-1',
        upstream_request_id: 'up-1',
        other: '{"model_ratio":1.25}',
        elapsed_time: 1_500,
        use_time: 2,
      },
    ],
    two_fas: [
      { id: 1, user_id: 1, is_enabled: true },
      { id: 2, user_id: 2, is_enabled: false },
    ],
    passkey_credentials: [{ id: 1, user_id: 2 }],
    user_oauth_bindings: [{ id: 1, user_id: 5 }],
    user_subscriptions: [
      plan(1, 2, { amount_total: 5_000_000, amount_used: 12_345 }),
      plan(2, 2, { amount_total: 1_000, amount_used: 0, status: 'expired', end_time: PAST }),
      plan(3, 5, { amount_total: 0, amount_used: 77 }),
      plan(4, 5, { amount_total: 700, amount_used: 0, end_time: PAST }),
    ],
  }
}

/** Leaves out the tables and columns that a release does not have. */
export function fitRows(tables: Tables, schema: SourceSchema): Tables {
  return Object.fromEntries(
    Object.entries(schema).map(([table, columns]) => [
      table,
      (tables[table] ?? []).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => columns[name] !== undefined)),
      ),
    ]),
  )
}

function token(id: number, name: keyof typeof KEYS, more: Row): Row {
  return {
    id,
    user_id: 2,
    key: keyOf(name),
    status: 1,
    name,
    created_time: PAST,
    accessed_time: PAST,
    expired_time: -1,
    remain_quota: 300_000,
    unlimited_quota: false,
    used_quota: 40,
    ...more,
  }
}

function channel(id: number, more: Row): Row {
  return {
    id,
    type: 1,
    key: `sk-key-of-channel-${id}`,
    status: 1,
    models: 'gpt-4o,gpt-4o-mini',
    group: 'default,vip',
    base_url: '',
    auto_ban: 1,
    used_quota: 5,
    ...more,
  }
}

function code(id: number, name: keyof typeof ALL_CODES, more: Row): Row {
  return {
    id,
    user_id: 1,
    key: codeOf(ALL_CODES[name]),
    status: 1,
    name,
    quota: CODE_QUOTA,
    created_time: PAST,
    redeemed_time: 0,
    ...more,
  }
}

function order(id: number, provider: string, more: Row): Row {
  return {
    id,
    user_id: 2,
    trade_no: `T${id}`,
    create_time: FUTURE,
    complete_time: 0,
    status: 'pending',
    payment_provider: provider,
    ...more,
  }
}

function ordersElsewhere(): readonly Row[] {
  return [
    order(3, 'stripe', { amount: 20, money: 0.57, payment_method: 'stripe' }),
    order(4, 'creem', { amount: 500_000, money: 1.5, payment_method: 'creem' }),
    order(5, 'creem', { amount: 250_000, money: 0.75, payment_method: 'creem', status: 'success' }),
  ]
}

function plan(id: number, userId: number, more: Row): Row {
  return { id, user_id: userId, plan_id: 1, start_time: PAST, end_time: FUTURE, status: 'active', ...more }
}

function options(release: Release): readonly Row[] {
  const common = {
    ModelRatio: MODEL_RATIOS,
    GroupRatio: '{"default":1,"vip":0.8}',
    QuotaPerUnit: '500000',
    TopupGroupRatio: '',
  }
  const newest = {
    'billing_setting.billing_mode': '{"priced-by-expression":"tiered_expr","priced-by-hour":"tiered_expr"}',
    'billing_setting.billing_expr': JSON.stringify({
      'priced-by-expression':
        'len <= 200000 ? tier("short", p * 3 + c * 15) : tier("long", p * 6 + c * 22.5)',
      'priced-by-hour':
        'hour("Asia/Shanghai") < 8 ? tier("night", p * 1 + c * 2) : tier("day", p * 3 + c * 15)',
    }),
    'payment_setting.amount_discount': '{"100":0.95}',
    'payment_setting.amount_options': '[10,20,50,100,200,500]',
    ModelRequestRateLimitGroup: '{"vip":[200,100]}',
    HeaderNavModules: '{"home":true}',
  }
  const all = release === '2026-04' || release === '2026-09' ? { ...common, ...newest } : common
  return Object.entries(all).map(([key, value]) => ({ key, value }))
}
