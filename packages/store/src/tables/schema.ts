import type { Kysely } from 'kysely'
import type { OneTimeCodeTable, OutboxTable } from './delivery.ts'
import type { IdentityTable, KnownNetworkTable, OAuthStateTable, UsedTokenTable } from './identity.ts'
import type {
  AccountTable,
  AllotmentTable,
  EntryRollupTable,
  EntryTable,
  HoldTable,
  InstanceTable,
  DatabaseIdentityTable,
  JournalRejectedTable,
  JournalTable,
  PriceTable,
  TallyTable,
  TotalsTable,
  WatermarkTable,
} from './ledger.ts'
import type {
  ChangeTable,
  ChannelKeyTable,
  ChannelTrafficTable,
  InstallationTable,
  JobRunTable,
  ChargeNoteTable,
  MemberSightingTable,
  ModelDayTable,
  NodeFiguresTable,
  OpenAlertTable,
} from './operations.ts'
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
import type { AuditLogTable, LogTable, LogTextTable } from './logs.ts'
import type { ChannelTable } from './channels.ts'
import type { OptionChangeTable, OptionTable, PriceBookTable, SetupTable } from './settings.ts'
import type { SessionTable, TokenRefusalTable, TokenTable, UserTable } from './accounts.ts'

/** Queries run on it: a connection of the pool, or a transaction. */
export type Db = Kysely<Database>

/**
 * All tables as Kysely sees them. Money is `bigint`; ids and times are numbers. `*_ms` are milliseconds and
 * `*_time` and `*_at` whole seconds since the epoch, as in new-api's wire format. Booleans are 0 or 1.
 */
export interface Database {
  // Only the ledger package writes these eleven tables.
  account: AccountTable
  hold: HoldTable
  entry: EntryTable
  price: PriceTable
  entry_rollup: EntryRollupTable
  instance: InstanceTable
  tally: TallyTable
  allotment: AllotmentTable
  journal: JournalTable
  journal_rejected: JournalRejectedTable
  database_identity: DatabaseIdentityTable

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
  installation: InstallationTable
  channel_keys: ChannelKeyTable
  channel_traffic: ChannelTrafficTable
  open_alerts: OpenAlertTable
  node_figures: NodeFiguresTable
  model_days: ModelDayTable
  member_sightings: MemberSightingTable
  token_refusals: TokenRefusalTable
  charge_notes: ChargeNoteTable
  changes: ChangeTable
}

/** A lease lets one process at a time do some work; see `leases.ts`. */
export interface LeaseTable {
  name: string
  holder: string
  until_ms: number
}
