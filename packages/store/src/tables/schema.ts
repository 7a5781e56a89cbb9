import type { ColumnType, Generated } from 'kysely'
import type { OneTimeCodeTable, OutboxTable } from './delivery.ts'
import type { Flag } from './flag.ts'
import type { IdentityTable, KnownNetworkTable, OAuthStateTable, UsedTokenTable } from './identity.ts'
import type {
  AccountTable,
  EntryRollupTable,
  EntryTable,
  HoldTable,
  InstanceTable,
  TallyTable,
  TotalsTable,
  WatermarkTable,
} from './ledger.ts'
import type { ChangeTable, ChannelKeyTable, ChannelTrafficTable, JobRunTable } from './operations.ts'
import type { AccountNoticeTable, EmailUndoTable } from './safety.ts'
import type { RedemptionTable, RedemptionUseTable, TaskTable, TopUpTable, UsageHourTable } from './trade.ts'
import type {
  LogHourTable,
  UsageCellTable,
  UsageOwnerChannelTable,
  UsageOwnerGroupTable,
  UsageOwnerModelTable,
  UsageOwnerTable,
  UsageRouteTable,
} from './usage.ts'

/**
 * All tables as Kysely sees them. Money is `bigint`; ids and times are numbers. `*_ms` are milliseconds and
 * `*_time` and `*_at` whole seconds since the epoch, as in new-api's wire format. Booleans are 0 or 1.
 */
export interface Database {
  // Only the ledger package writes these six tables.
  account: AccountTable
  hold: HoldTable
  entry: EntryTable
  entry_rollup: EntryRollupTable
  instance: InstanceTable
  tally: TallyTable

  users: UserTable
  sessions: SessionTable
  identities: IdentityTable
  oauth_states: OAuthStateTable
  spent_marks: UsedTokenTable
  known_networks: KnownNetworkTable
  tokens: TokenTable
  channels: ChannelTable
  options: OptionTable
  option_changes: OptionChangeTable
  price_books: PriceBookTable
  setups: SetupTable
  logs: LogTable
  log_texts: LogTextTable
  audit_log: AuditLogTable
  redemptions: RedemptionTable
  redemption_uses: RedemptionUseTable
  top_ups: TopUpTable
  tasks: TaskTable
  usage_hours: UsageHourTable
  usage_cells: UsageCellTable
  usage_routes: UsageRouteTable
  usage_owners: UsageOwnerTable
  usage_owner_groups: UsageOwnerGroupTable
  /** Daily sums: `hour_at` is the first hour of the day. */
  usage_route_days: UsageRouteTable
  usage_owner_days: UsageOwnerTable
  usage_owner_model_days: UsageOwnerModelTable
  usage_owner_group_days: UsageOwnerGroupTable
  usage_owner_channel_days: UsageOwnerChannelTable
  log_hours: LogHourTable
  outbox: OutboxTable
  one_time_codes: OneTimeCodeTable
  email_undos: EmailUndoTable
  account_notices: AccountNoticeTable
  /** Sums derived from entries up to a watermark. No decision depends on them. */
  totals: TotalsTable
  watermarks: WatermarkTable
  lease: LeaseTable
  job_runs: JobRunTable
  channel_keys: ChannelKeyTable
  channel_traffic: ChannelTrafficTable
  changes: ChangeTable
}

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

export interface ChannelTable {
  id: Generated<number>
  type: number
  name: string
  key_sealed: string
  key_preview: string
  status: number
  base_url: string
  other: string
  models: string
  group_names: string
  model_mapping: string
  status_code_mapping: string
  /** These three columns are encrypted: see `channel-secrets.ts`. */
  param_override: string
  header_override: string
  setting: string
  model_prefix: string
  openai_organization: string
  test_model: string
  tag: string
  priority: number
  weight: number
  auto_ban: Flag
  other_info: string
  balance: number
  /** `USD`, `CNY` …; "" when unknown. */
  balance_currency: string
  balance_updated_time: number
  response_time: number
  test_time: number
  /** Outcome of the last test; "" before the first one, and for tests from before outcomes were stored. */
  test_outcome: TestOutcome | ''
  /** HTTP status of the upstream's response; 0 when there was none. */
  test_status: number
  /** Why the test failed: at most `TEST_MESSAGE_CHARACTERS` characters, without secrets. */
  test_message: string
  /** The model of the last test. `test_model` is the model to test with. */
  tested_model: string
  created_time: number
  version: number
}

export type TestOutcome = 'ok' | 'failed'

export interface OptionTable {
  key: string
  /** Clear text, or encrypted when the option is a secret. */
  value: string
  version: number
  updated_ms: number
  updated_by: number
}

export interface OptionChangeTable {
  id: Generated<number>
  key: string
  before_value: string | null
  after_value: string
  version: number
  changed_ms: number
  changed_by: number
}

/** One row per published price book; a hold names its version. */
export interface PriceBookTable {
  version: Generated<number>
  content_hash: string
  /** JSON of all price options at the time of publication. */
  content: string
  created_ms: number
}

export interface SetupTable {
  id: number
  version: string
  initialized_at: number
}

/** The wide usage log shown in the console. Its field names are those of new-api's wire format. */
export interface LogTable {
  id: Generated<number>
  request_id: string | null
  user_id: number
  created_at: number
  /** 1 top-up, 2 consumption, 3 management, 4 system, 5 check-in, 6 refund, 7 sign-in, 8 error. */
  type: number
  content: string
  username: string
  token_id: number
  token_name: string
  model_name: string
  quota: bigint
  prompt_tokens: number
  completion_tokens: number
  /** In whole seconds. */
  use_time: number
  duration_ms: number
  first_byte_ms: number
  is_stream: Flag
  channel_id: number
  group_name: string
  ip: string
  /** JSON text of an object with further details of the row, for example its `event`. */
  other: string
  /** The operator's cost of the call in quota units; null where it is unknown. */
  cost: ColumnType<bigint | null, bigint | null | undefined>
}

export type UsageLogRow = Omit<LogTable, 'id' | 'cost'> & { readonly cost?: bigint | null }

/** The prompt and response of a call, where the operator keeps them. */
export interface LogTextTable {
  /** The same request id as in the log. */
  request_id: string
  user_id: number
  /** In seconds, as in the log. */
  created_at: number
  /** Encrypted JSON. */
  sealed: string
}

export interface AuditLogTable {
  id: Generated<number>
  actor_id: number
  action: string
  entity: string
  entity_id: string
  before_json: string | null
  after_json: string | null
  address: string
  created_ms: number
}

/** A lease lets one process at a time do some work; see `leases.ts`. */
export interface LeaseTable {
  name: string
  holder: string
  until_ms: number
}
