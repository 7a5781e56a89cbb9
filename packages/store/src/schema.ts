import type { ColumnType, Generated } from 'kysely'
import type { OneTimeCodeTable, OutboxTable } from './delivery-tables.ts'
import type { Flag } from './flag.ts'
import type { IdentityTable, KnownNetworkTable, OAuthStateTable, SpentMarkTable } from './identity-tables.ts'
import type {
  AccountTable,
  EntryRollupTable,
  EntryTable,
  HoldTable,
  InstanceTable,
  TallyTable,
  TotalsTable,
  WatermarkTable,
} from './ledger-tables.ts'
import type { ChangeTable, ChannelKeyTable, ChannelTrafficTable, JobRunTable } from './operation-tables.ts'
import type { AccountNoticeTable, EmailUndoTable } from './safety-tables.ts'
import type {
  RedemptionTable,
  RedemptionUseTable,
  TaskTable,
  TopUpTable,
  UsageHourTable,
} from './trade-tables.ts'
import type {
  LogHourTable,
  UsageCellTable,
  UsageOwnerChannelTable,
  UsageOwnerGroupTable,
  UsageOwnerModelTable,
  UsageOwnerTable,
  UsageRouteTable,
} from './usage-tables.ts'

/**
 * Every table, as Kysely sees it. Money is `bigint`; ids and times are numbers.
 * `*_ms` are milliseconds, `*_time` and `*_at` whole seconds since the epoch (the wire contract's unit). Booleans are 0 or 1.
 */
export interface Database {
  // Only the ledger package writes these six.
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
  spent_marks: SpentMarkTable
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
  /** By the day: `hour_at` is its first hour. */
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
  /** Sums derived from entries by a watermark; nothing decides by them. */
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
  /** Case-folded and NFKC-normalised; unique, also over deleted rows. */
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
  /** 1: the password is known to everybody, so nothing can be done here before there is another. */
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
  /** When the password or the sign-in provider was last proven; secrets are revealed only soon after. */
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
  /** The owner's copy, encrypted. */
  key_sealed: string
  /** First and last characters, for lists. */
  key_preview: string
  /** 1 enabled, 2 disabled, 3 expired, 4 exhausted. */
  status: number
  created_time: number
  accessed_time: number
  /** -1 never. */
  expired_time: number
  unlimited_quota: Flag
  model_limits_enabled: Flag
  model_limits: string
  allow_ips: string
  group_name: string
  deleted_ms: number | null
  /** Calls and tokens a minute, calls at a time: 0 = as many as it likes. */
  rpm_limit: Generated<number>
  tpm_limit: Generated<number>
  max_parallel_requests: Generated<number>
  /** What it may spend in a `day`, `week` or `month`; period "": no budget. */
  budget_quota: Generated<bigint>
  budget_period: Generated<string>
  /** Comma list of the groups it tries in this order, when its group is `auto`; "" = the site's. */
  group_order: Generated<string>
  /** 1: when every channel of one group failed, the next group tries. */
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
  /** These three are encrypted: see `channel-secrets.ts`. */
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
  /** `USD`, `CNY` …; "" when it is not known. */
  balance_currency: string
  balance_updated_time: number
  response_time: number
  test_time: number
  /** Of the last test; "" before the first one, and where it was before outcomes were kept. */
  test_outcome: TestOutcome | ''
  /** HTTP status of the upstream's answer; 0 when none came. */
  test_status: number
  /** Why it failed; at most `TEST_MESSAGE_CHARACTERS` and without secrets. */
  test_message: string
  /** The model it was tested with; `test_model` is the one to test with. */
  tested_model: string
  created_time: number
  version: number
}

export type TestOutcome = 'ok' | 'failed'

export interface OptionTable {
  key: string
  /** Clear text, or sealed when the key is a secret. */
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
  /** JSON of all price options at that moment. */
  content: string
  created_ms: number
}

export interface SetupTable {
  id: number
  version: string
  initialized_at: number
}

/** The wide usage log shown in the console. Field names follow the family's wire contract. */
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
  /** Whole seconds. */
  use_time: number
  duration_ms: number
  first_byte_ms: number
  is_stream: Flag
  channel_id: number
  group_name: string
  ip: string
  /** JSON text; keys in spec billing 11. */
  other: string
  /** Quota units that the call cost the operator; null where that is not known. */
  cost: ColumnType<bigint | null, bigint | null | undefined>
}

export type UsageLogRow = Omit<LogTable, 'id' | 'cost'> & { readonly cost?: bigint | null }

/** What was said in a call, where operators keep it. */
export interface LogTextTable {
  /** As in the log. */
  request_id: string
  user_id: number
  /** Seconds, as in the log. */
  created_at: number
  /** Sealed JSON. */
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

/** What one process at a time does; see `leases.ts`. */
export interface LeaseTable {
  name: string
  holder: string
  until_ms: number
}
