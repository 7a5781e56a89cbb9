import type { ColumnType, Generated } from 'kysely'
import type { Flag } from './flag.ts'

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
  cost: Unknowable<bigint>
  /** Keyed hash of the session that the caller named, different for each owner; null where none was named. */
  session: Unknowable<string>
  /** The caller's program, such as `claude-code`; null for rows that no call wrote. */
  client: Unknowable<string>
  client_version: Unknowable<string>
  /** Input tokens that the upstream read from its cache; null where no usage was reported. */
  cached_tokens: Unknowable<number>
  /** What the same usage would have cost without a cache, less the charge; negative if writing it cost more. */
  cache_saved: Unknowable<bigint>
  /** The vendor's own id of the call's last request; null where it reported none. */
  upstream_request_id: Unknowable<string>
}

type Unknowable<T> = ColumnType<T | null, T | null | undefined>

type Unknown =
  | 'cost'
  | 'session'
  | 'client'
  | 'client_version'
  | 'cached_tokens'
  | 'cache_saved'
  | 'upstream_request_id'

export type UsageLogRow = Omit<LogTable, 'id' | Unknown> & {
  readonly cost?: bigint | null
  readonly session?: string | null
  readonly client?: string | null
  readonly client_version?: string | null
  readonly cached_tokens?: number | null
  readonly cache_saved?: bigint | null
  readonly upstream_request_id?: string | null
}

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
