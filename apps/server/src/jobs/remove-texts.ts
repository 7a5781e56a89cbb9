import type { Clock } from '@tollgate/kit/clock'
import { removeLogTextsOf } from '@tollgate/store/logs/texts'
import { deletedBetween } from '@tollgate/store/accounts/managed-users'
import type { Db } from '@tollgate/store/tables/schema'
import { readWatermark, writeWatermark } from '@tollgate/store/operations/watermarks'

/** Watermark in milliseconds: for all users deleted up to this moment, the texts have been removed. */
const DONE = 'texts-of-deleted'
/** Calls that were under way when their user was deleted have ended after this time. */
const SETTLED_AFTER_MS = 600_000
const USERS_AT_ONCE = 200
const ROWS_AT_ONCE = 1000

export interface RemoveTextsParts {
  /** The database with the users. */
  readonly store: Db
  /** The database with the usage log and its texts. */
  readonly logs: Db
  readonly clock: Clock
}

/**
 * Removes the recorded texts of users deleted since the last run. Until then the console does not show these
 * texts.
 */
export async function removeTextsOfDeletedUsers({ store, logs, clock }: RemoveTextsParts): Promise<void> {
  const untilMs = clock.nowMs() - SETTLED_AFTER_MS
  const afterMs = await readWatermark(logs, DONE)
  const users = await deletedBetween(store, { afterMs, untilMs })
  for (let first = 0; first < users.length; first += USERS_AT_ONCE)
    await forgetTextsOf(logs, users.slice(first, first + USERS_AT_ONCE))
  if (users.length > 0) await writeWatermark(logs, { name: DONE, position: untilMs })
}

async function forgetTextsOf(logs: Db, userIds: readonly number[]): Promise<void> {
  for (let from: number | undefined = 0; from !== undefined;)
    from = await removeLogTextsOf(logs, { userIds, from, limit: ROWS_AT_ONCE })
}
