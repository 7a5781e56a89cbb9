import type { OptionValue } from '@tollgate/contract/options/index'
import type { Clock } from '@tollgate/kit/clock'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { removeLogTextsBefore } from '@tollgate/store/logs/texts'
import { removeOldRows, timeToFit } from '@tollgate/store/logs/retention'
import type { Db } from '@tollgate/store/tables/schema'
import { freezeUsage } from '@tollgate/store/usage/roll-up'
import { removeTextsOfDeletedUsers } from './remove-texts.ts'
import type { Job, JobsLog } from './job.ts'

const HOUR_MS = 3_600_000
const FIRST_MS = 300_000
const DAY_SECONDS = 86_400
const MEGABYTE = 1_000_000
const ROWS_AT_ONCE = 1000
/** Upper bound for one run, so that a shutdown does not have to wait for it. */
const SLICES_MAX = 500

type RetentionKey = 'log_setting.keep_days' | 'log_setting.size_mb' | 'log_setting.chat_days'

export interface LogOptions {
  get<Key extends RetentionKey>(key: Key): OptionValue<Key>
}

export interface KeepLogsParts {
  /** The database with the users. */
  readonly store: Db
  readonly logs: Db
  readonly clock: Clock
  readonly options: LogOptions
  readonly log: JobsLog
}

/**
 * Removes rows of the usage log that are older than the retention of their type, and the oldest calls when
 * the log exceeds its maximum size. Hourly sums, the ledger and the audit trail stay.
 */
export function keepLogsJob(parts: KeepLogsParts): Job {
  return {
    name: 'keep-logs',
    everyMs: HOUR_MS,
    firstMs: FIRST_MS,
    runs: 'once',
    run: async () => {
      await removeTextsOfDeletedUsers(parts)
      await removeTexts(
        parts.logs,
        secondsOf(parts) - parts.options.get('log_setting.chat_days') * DAY_SECONDS,
      )
      const removed = (await removeByAge(parts)) + (await removeBySize(parts))
      if (removed > 0) parts.log.info({ removed }, 'removed old rows of the usage log')
      return { removed }
    },
  }
}

function secondsOf({ clock }: KeepLogsParts): number {
  return Math.floor(clock.nowMs() / 1000)
}

async function removeByAge(parts: KeepLogsParts): Promise<number> {
  const { logs, options } = parts
  const now = secondsOf(parts)
  let removed = 0
  for (const [name, days] of Object.entries(options.get('log_setting.keep_days'))) {
    const type = Object.entries(LOG_TYPE).find(([known]) => known === name)?.[1]
    if (type !== undefined && days > 0)
      removed += await removeBefore(logs, { types: [type], before: now - days * DAY_SECONDS })
  }
  return removed
}

/**
 * Only rows of calls are removed by size, because they make up nearly all of the log; the few other rows stay
 * for their configured time.
 */
async function removeBySize({ logs, options }: KeepLogsParts): Promise<number> {
  const bytesMax = options.get('log_setting.size_mb') * MEGABYTE
  const before = bytesMax > 0 ? await timeToFit(logs, bytesMax) : undefined
  if (before === undefined) return 0
  return removeBefore(logs, { types: [LOG_TYPE.consumption, LOG_TYPE.error], before })
}

async function removeBefore(
  logs: Db,
  old: { readonly types: readonly number[]; readonly before: number },
): Promise<number> {
  await freezeUsage(logs, old.before)
  if (old.types.includes(LOG_TYPE.consumption)) await removeTexts(logs, old.before)
  let removed = 0
  for (let slice = 0; slice < SLICES_MAX; slice++) {
    const rows = await removeOldRows(logs, { ...old, limit: ROWS_AT_ONCE })
    removed += rows
    if (rows < ROWS_AT_ONCE) break
  }
  return removed
}

/** Texts of calls never outlive the log rows of these calls. */
async function removeTexts(logs: Db, before: number): Promise<void> {
  for (let slice = 0; slice < SLICES_MAX; slice++)
    if ((await removeLogTextsBefore(logs, { before, limit: ROWS_AT_ONCE })) < ROWS_AT_ONCE) return
}
