import type { Generated } from 'kysely'

/** State of background work: jobs, channel keys, channel traffic, and change notices. */

/** The last run of a job, and whether another run was requested. */
export interface JobRunTable {
  name: string
  state: 'idle' | 'asked' | 'running'
  asked_ms: number
  started_ms: number
  /** Time of the last heartbeat of a run in progress. */
  beat_ms: number
  ended_ms: number
  /** 0: unknown. */
  next_ms: number
  /** "" before the first run has ended. */
  outcome: '' | 'ok' | 'failed'
  /** JSON object of numbers. */
  figures: string
  /** JSON of the words in both languages; null unless the last run failed for a reason that operators can mend. */
  reason: string | null
  done: number
  total: number
}

/** State of one key of a channel. A key without a row is enabled and has not been used. */
export interface ChannelKeyTable {
  id: Generated<number>
  channel_id: number
  key_hash: string
  /** As for channels: 1 enabled, 2 disabled by hand, 3 disabled automatically. */
  status: number
  reason: string
  status_ms: number
  uses: number
  last_used_ms: number
}

/** Counts of a channel's calls that one process collected during one interval. */
export interface ChannelTrafficTable {
  id: Generated<number>
  channel_id: number
  at_ms: number
  succeeded: number
  failed: number
  /** Times to first byte as `bucket:count` pairs, see `channel-traffic.ts`. */
  first_bytes: string
  /** JSON list of the latest failures. */
  errors: string
}

/** A change notice for the other processes that share this database. */
export interface ChangeTable {
  /** Numbered without gaps, in commit order. */
  number: number
  /** The same words as in a notice: `token`, `user`, …, or `*` for everything. */
  entity: string
  /** "" means any or all rows. */
  row_id: string
  /** Id of the process that wrote it. */
  origin: string
  noted_ms: number
}

/** Something that is wrong now and that operators were told of. */
export interface OpenAlertTable {
  /** Rule and subject. */
  name: string
  rule: string
  subject: string
  /** JSON object with the text in each language. */
  words: string
  since_ms: number
  is_sent: number
}

/** What a process last reported about itself. */
export interface NodeFiguresTable {
  id: string
  at_ms: number
  /** JSON object. */
  figures: string
}

/** What was unusual about the charges of a day, by kind, channel and model. */
export interface ChargeNoteTable {
  id: Generated<number>
  /** Days since the epoch, in UTC. */
  day: number
  /** See `chargeNoteKinds` in the contract. */
  kind: string
  channel_id: number
  model: string
  /** The last one: a model that served, or names of counts. */
  detail: string
  calls: number
  /** What the calls were charged, or what was not charged. */
  quota: bigint
  first_ms: number
  last_ms: number
}

/** Calls of a model on one day that were served, or failed through no fault of their callers. */
/** A request member that was taken out of calls, or that no row of the catalogue knows, by channel. */
export interface MemberSightingTable {
  id: Generated<number>
  /** `unknown` or `taken`. */
  kind: string
  wire: string
  member: string
  channel_id: number
  client: string
  client_version: string
  first_ms: number
  last_ms: number
  passed: number
  taken: number
}

export interface ModelDayTable {
  id: Generated<number>
  /** Days since the epoch, in UTC. */
  day: number
  model: string
  succeeded: number
  failed: number
}

/** At most one row: the installation that the database belongs to. */
export interface InstallationTable {
  id: string
  /** The installation that this was a copy of before it was confirmed; "" for none. */
  predecessor: string
  /** Since when it counts as a copy of another database; 0 when it does not. */
  unconfirmed_ms: number
  /** Why it counts as a copy; "" when it does not. */
  cause: string
}
