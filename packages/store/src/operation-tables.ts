import type { Generated } from 'kysely'

/** What is known of work that goes on by itself: jobs, keys of channels, traffic. */

/** The last run of a job, and whether somebody asked for the next one. */
export interface JobRunTable {
  name: string
  state: 'idle' | 'asked' | 'running'
  asked_ms: number
  started_ms: number
  /** The last sign of life of a run under way. */
  beat_ms: number
  ended_ms: number
  /** 0: not known. */
  next_ms: number
  /** "" before the first run has ended. */
  outcome: '' | 'ok' | 'failed'
  /** JSON object of numbers. */
  figures: string
  done: number
  total: number
}

/** What is known of one key of a channel; a key without a row is enabled and has not been used. */
export interface ChannelKeyTable {
  id: Generated<number>
  channel_id: number
  key_hash: string
  /** As a channel's: 1 enabled, 2 disabled by hand, 3 disabled automatically. */
  status: number
  reason: string
  status_ms: number
  uses: number
  last_used_ms: number
}

/** What one process saw of a channel's calls in a while. */
export interface ChannelTrafficTable {
  id: Generated<number>
  channel_id: number
  at_ms: number
  succeeded: number
  failed: number
  /** Times to the first byte as `bucket:count` pairs, see `channel-traffic.ts`. */
  first_bytes: string
  /** JSON list of the latest failures. */
  errors: string
}

/** A change notice, for processes that share this database. */
export interface ChangeTable {
  /** Without gaps, in the order of commits. */
  number: number
  /** As in a notice: `token`, `user`, …, or `*` for everything. */
  entity: string
  /** "" for any or all rows. */
  row_id: string
  /** The process that wrote it. */
  origin: string
  noted_ms: number
}
