import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

export interface UserTable {
  id: Generated<number>
  username: string
  /** Case-folded and NFKC-normalised; unique, also among deleted rows. */
  username_key: string
  password_hash: string
  display_name: string
  role: number
  status: number
  email: string
  github_id: string
  oidc_id: string
  wechat_id: string
  telegram_id: string
  linux_do_id: string
  /** SHA-256 of the system access token, or null. */
  access_token_hash: string | null
  group_name: string
  aff_code: string
  aff_count: number
  inviter_id: number
  /** JSON text of the notification settings, or "". */
  setting: string
  /** What operators note about the user; the user does not see it. */
  remark: Generated<string>
  /** 1: the account has a publicly known default password and can do nothing before it is changed. */
  has_default_password: Generated<Flag>
  last_check_in_ms: number | null
  created_ms: number
  deleted_ms: number | null
}

export interface SessionTable {
  id_hash: string
  user_id: number
  created_ms: number
  seen_ms: number
  expires_ms: number
  /**
   * When the user last confirmed the password or a sign-in provider. Secrets are shown only for a short time
   * after that.
   */
  proven_ms: number
  /** `password`, or the provider's name; "" in sessions of older versions. */
  proven_by: Generated<string>
  address: string
  user_agent: string
}

export interface TokenTable {
  id: Generated<number>
  user_id: number
  name: string
  key_hash: string
  /**
   * 0: the hash is of the key without `sk-`. 1: of the whole text, as LiteLLM stores it; such a key is kept as its
   * hash alone.
   */
  key_form: Generated<Flag>
  /** The full key, encrypted, so that the owner can see it again. */
  key_sealed: string
  /** First and last characters of the key, for lists. */
  key_preview: string
  /** 1 enabled, 2 disabled, 3 expired, 4 exhausted. */
  status: number
  created_time: number
  accessed_time: number
  /** -1: never expires. */
  expired_time: number
  unlimited_quota: Flag
  model_limits_enabled: Flag
  model_limits: string
  allow_ips: string
  group_name: string
  deleted_ms: number | null
  /** Requests per minute, tokens per minute and concurrent calls; 0 means unlimited. */
  rpm_limit: Generated<number>
  tpm_limit: Generated<number>
  max_parallel_requests: Generated<number>
  /** Quota that the token may spend per `day`, `week` or `month`. With period "" it has no budget. */
  budget_quota: Generated<bigint>
  budget_period: Generated<string>
  /**
   * Comma-separated list of the groups to try, in this order, when the token's group is `auto`; "" means the
   * site's order.
   */
  group_order: Generated<string>
  /** 1: when every channel of a group has failed, the next group is tried. */
  cross_group_retry: Generated<Flag>
}

/** How many calls of a token were refused for a reason in a quarter of an hour. */
export interface TokenRefusalTable {
  id: Generated<number>
  token_id: number
  /** In seconds. */
  quarter_at: number
  /** Code of the Problem. */
  code: string
  refused: number
}
