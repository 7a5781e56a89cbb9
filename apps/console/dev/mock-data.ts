import type { CallSession } from '@tollgate/contract/call-session'
import type { OwnSession } from '@tollgate/contract/account'
import type { Channel } from '@tollgate/contract/channel'
import type { ChannelType } from '@tollgate/contract/channel-upstream'
import type { LogRow } from '@tollgate/contract/log'
import type { Status } from '@tollgate/contract/status'
import type { Token } from '@tollgate/contract/token'
import type { Self } from '@tollgate/contract/user'

const now = Math.floor(Date.now() / 1000)

export const models = [
  'claude-sonnet-4-6',
  'deepseek-chat',
  'gemini-3-pro',
  'gpt-5.2-mini',
  'text-embedding-3-large',
]

export const status: Partial<Status> = {
  version: 'v0.1.0',
  start_time: now - 86_400,
  system_name: 'Tollgate',
  logo: '',
  footer_html: '',
  server_address: 'https://gate.example.com',
  docs_link: 'https://docs.example.com',
  quota_per_unit: 500_000,
  display_in_currency: true,
  default_collapse_sidebar: false,
  chats: [],
  demo_site_enabled: false,
  self_use_mode_enabled: false,
  password_login_enabled: true,
  register_enabled: true,
  email_verification: true,
  password_reset_enabled: true,
  github_oauth: true,
  oidc_enabled: true,
  wechat_login: true,
  check_in_enabled: true,
  checkin_enabled: true,
}

export const self: Self = {
  id: 7,
  username: 'lin.wei',
  password: '',
  display_name: 'Lin Wei',
  role: 1,
  status: 1,
  email: 'lin@example.com',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  verification_code: '',
  access_token: null,
  has_access_token: false,
  has_paid: true,
  has_password: true,
  has_default_password: false,
  quota: 64_200_000,
  used_quota: 2_109_151,
  request_count: 1284,
  group: 'default',
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  DeletedAt: null,
  setting: '',
  last_check_in_time: null,
}

export const tokens: Token[] = ['prod-web', 'agent-ci', '批量翻译', 'old-script', 'laptop'].map(
  (name, index) => ({
    id: 5 - index,
    user_id: 7,
    key: `A${index}x…9f${index}`,
    status: ([1, 1, 1, 3, 4] as const)[index] ?? 1,
    name,
    created_time: now - 86_400 * (index + 1),
    accessed_time: now - 600 * index,
    expired_time: index === 3 ? now - 3600 : -1,
    remain_quota: index === 4 ? 0 : 500_000 * (index + 1),
    overrun_quota: index === 4 ? 3_210 : 0,
    unlimited_quota: index === 0,
    model_limits_enabled: index === 1,
    model_limits: index === 1 ? 'claude-sonnet-4-6,gpt-5.2-mini' : '',
    allow_ips: index === 1 ? '10.0.0.0/8' : '',
    used_quota: 32_438 * (index + 1),
    group: index === 1 ? 'vip' : '',
    group_order: '',
    auto_groups: null,
    cross_group_retry: false,
    rpm_limit: index === 2 ? 60 : 0,
    tpm_limit: index === 2 ? 100_000 : 0,
    max_parallel_requests: index === 1 ? 4 : 0,
    open_requests: index === 1 ? 1 : 0,
    budget_quota: index === 1 ? 5_000_000 : 0,
    budget_period: index === 1 ? 'week' : '',
    budget_used: index === 1 ? 1_230_000 : 0,
    budget_reset_time: index === 1 ? now + 86_400 : 0,
    refused_today: [0, 0, 3, 0, 212][index] ?? 0,
    refused_reason: ['', '', 'token_rpm_reached', '', 'token_exhausted'][index] ?? '',
    DeletedAt: null,
  }),
)

const channelNames = [
  'Azure East',
  'Anthropic',
  'DeepSeek',
  'Gemini',
  'Bedrock',
  'OpenAI main',
  'OpenAI spare',
  'Mistral',
  '智谱',
  'Cohere',
  'Groq',
  'xAI',
]

const providers: readonly (readonly [number, string, string])[] = [
  [1, 'openai', 'OpenAI'],
  [3, 'azure', 'Azure OpenAI'],
  [14, 'anthropic', 'Anthropic'],
  [16, 'zhipu', '智谱 GLM'],
  [24, 'gemini', 'Google Gemini'],
  [33, 'bedrock', 'AWS Bedrock'],
  [34, 'cohere', 'Cohere'],
  [42, 'mistral', 'Mistral'],
  [43, 'deepseek', 'DeepSeek'],
  [48, 'xai', 'xAI'],
]

export const channelTypes: ChannelType[] = providers.map(([type, id, label]) => ({
  type,
  id,
  label,
  base_url: `https://api.${id}.example`,
  address: {
    help: { en: 'Everything before /v1/chat/completions.', zh: '/v1/chat/completions 之前的部分。' },
    example: `https://api.${id}.example`,
  },
  key_hint: 'sk-…',
  models,
  can_list_models: true,
  can_tell_balance: true,
  renews_keys: false,
}))

export const channels: Channel[] = channelNames.map((name, index) => ({
  id: channelNames.length - index,
  type: ([3, 14, 43, 24, 33, 1, 1, 42, 16, 34, 1, 48] as const)[index] ?? 1,
  key: '',
  key_preview: `sk-…${index}f3`,
  key_count: 1,
  openai_organization: '',
  test_model: '',
  status: ([1, 1, 3, 1, 2] as const)[index] ?? 1,
  name,
  weight: index % 3,
  priority: index < 3 ? 10 : 0,
  created_time: now - 86_400 * 30,
  test_time: index === 5 ? 0 : now - 3600 * index,
  response_time: index === 5 ? 0 : 320 + index * 740,
  test_outcome: index === 5 ? '' : index === 2 ? 'failed' : 'ok',
  test_status: index === 5 ? 0 : index === 2 ? 429 : 200,
  test_message: index === 2 ? 'status code 429: You exceeded your current quota' : '',
  tested_model: index === 5 ? '' : 'gpt-4o-mini',
  base_url: '',
  other: '',
  balance: index * 12.5,
  balance_currency: 'USD',
  balance_updated_time: now - 7200,
  models: models.slice(index % 3).join(','),
  group: index % 2 === 0 ? 'default,vip' : 'default',
  used_quota: 1_200_000 * index,
  model_mapping: '',
  status_code_mapping: '',
  auto_ban: 1,
  other_info:
    index === 2 ? JSON.stringify({ status_reason: 'insufficient_quota', status_time: now - 900 }) : '',
  remark: '',
  tag: index > 4 && index < 7 ? 'openai' : '',
  setting: '',
  param_override: '',
  header_override: '',
  model_prefix: '',
  version: 1,
}))

export const logRows: LogRow[] = Array.from({ length: 137 }, (_, index) => ({
  id: 4000 - index,
  request_id: `20261120205812${String(index).padStart(6, '0')}`,
  user_id: 7,
  created_at: now - index * 47,
  type: index % 23 === 7 ? 1 : 2,
  content: '',
  username: ['lin.wei', 'm.costa', 'a.novak'][index % 3] ?? '',
  token_id: 1,
  token_name: ['prod-web', 'agent-ci', '批量翻译'][index % 3] ?? '',
  model_name: models[index % models.length] ?? '',
  quota: (index * 7919) % 40_000,
  prompt_tokens: (index * 1204) % 20_000,
  completion_tokens: (index * 388) % 8000,
  use_time: (index * 13) % 320,
  duration_ms: ((index * 13) % 320) * 1000 + 420,
  first_byte_ms: 600 + ((index * 97) % 9000),
  is_stream: index % 4 !== 0,
  channel: 12 - (index % 12),
  channel_name: channelNames[index % 12] ?? '',
  group: index % 3 === 1 ? 'vip' : 'default',
  ip: '',
  other: JSON.stringify({
    model_ratio: 0.5,
    completion_ratio: 4,
    group_ratio: 1,
    admin_info: { use_channel: ['3', '7'] },
    ...(index % 3 === 1 && { affinity: (['bound', 'bound', 'moved', 'new'] as const)[index % 4] }),
  }),
  cost: null,
  session: index % 3 === 1 ? `s${String(index % 4)}-Q1vX7kPz0b2LtRw9` : '',
  client: ['other', 'claude-code', 'openai-sdk'][index % 3] ?? '',
  client_version: ['', '2.1.330', '6.9.1'][index % 3] ?? '',
  cached_tokens: index % 3 === 1 ? Math.round(((index * 1204) % 20_000) * 0.9) : 0,
  cache_saved: index % 3 === 1 ? (index * 331) % 9_000 : 0,
  upstream_request_id: index % 5 === 0 ? '' : `req_${String(index).padStart(4, '0')}a9f1c3`,
}))

export const callSessions: CallSession[] = ['s0', 's1', 's2', 's3'].map((name, index) => {
  const calls = logRows.filter((row) => row.session.startsWith(name))
  const sum = (amount: (row: LogRow) => number) => calls.reduce((total, row) => total + amount(row), 0)
  return {
    session: calls[0]?.session ?? '',
    user_id: 7,
    username: 'm.costa',
    client: ['claude-code', 'codex', 'other', 'opencode'][index] ?? '',
    client_version: ['2.1.330', '0.169.0', '', '1.18.33'][index] ?? '',
    first_at: calls.at(-1)?.created_at ?? now,
    last_at: calls[0]?.created_at ?? now,
    calls: calls.length,
    errors: index % 2,
    quota: sum(({ quota }) => quota),
    prompt_tokens: sum((row) => row.prompt_tokens),
    completion_tokens: sum((row) => row.completion_tokens),
    cached_tokens: sum((row) => row.cached_tokens),
    cache_saved: sum((row) => row.cache_saved),
    channels: [{ channel_id: 12 - index, name: channelNames[index] ?? '', calls: calls.length }],
  }
})

export function today(): string {
  return new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
}

export const sessions: OwnSession[] = ['Firefox/140.0 (Windows)', 'Safari/604 (iPhone)'].map(
  (user_agent, index) => ({
    id: `session${index}`,
    created_at: now - 86_400 * (index + 1),
    seen_at: now - 3600 * index,
    expires_at: now + 86_400 * 20,
    address: `203.0.113.${index + 7}`,
    user_agent,
    is_current: index === 0,
  }),
)
