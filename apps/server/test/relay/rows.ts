import { sha256Hex } from '@tollgate/kit/ids'
import type { NewChannel } from '@tollgate/store/channels/channels'
import type { TokenTable, UserTable } from '@tollgate/store/tables/accounts'
import type { Insertable } from 'kysely'

/** Rows as the admin API would have stored them. */

let users = 0

export function newUser(): Insertable<UserTable> {
  const username = `user${++users}`
  return {
    username,
    username_key: username,
    password_hash: '',
    display_name: username,
    role: 1,
    status: 1,
    email: '',
    github_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
    access_token_hash: null,
    group_name: 'default',
    aff_code: username,
    aff_count: 0,
    inviter_id: 0,
    setting: '',
    last_check_in_ms: null,
    created_ms: 0,
    deleted_ms: null,
  }
}

export function newToken(key: string, userId: number): Insertable<TokenTable> {
  return {
    user_id: userId,
    name: 'cli',
    key_hash: sha256Hex(key),
    key_sealed: '',
    key_preview: `${key.slice(0, 3)}***${key.slice(-3)}`,
    status: 1,
    created_time: 0,
    accessed_time: 0,
    expired_time: -1,
    unlimited_quota: 1,
    model_limits_enabled: 0,
    model_limits: '',
    allow_ips: '',
    group_name: '',
    deleted_ms: null,
  }
}

export function newChannel(baseUrl: string): NewChannel {
  return {
    type: 1,
    name: 'channel',
    key_preview: '***',
    status: 1,
    base_url: baseUrl,
    other: '',
    models: 'gpt-4o,text-embedding-3-small,text-moderation-stable',
    group_names: 'default',
    model_mapping: '',
    status_code_mapping: '',
    model_prefix: '',
    openai_organization: '',
    test_model: '',
    tag: '',
    remark: '',
    priority: 0,
    weight: 0,
    auto_ban: 1,
    created_time: 0,
  }
}
