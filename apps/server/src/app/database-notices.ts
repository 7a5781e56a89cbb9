import { EVERYTHING, type Notice, type Notices } from '@tollgate/coordination/notices'
import type { Clock } from '@tollgate/kit/clock'
import { lastChange, listChanges, recordChange } from '@tollgate/store/operations/changes'
import type { Db } from '@tollgate/store/tables/schema'

export interface DatabaseNoticesParts {
  /** Notices sent through Redis, through the parent process, or within this process only. */
  readonly notices: Notices
  readonly db: Db
  readonly clock: Clock
  /** Unique id of this process. */
  readonly nodeId: string
  readonly log: {
    warn(fields: Readonly<Record<string, unknown>>, message: string): void
    error(fields: Readonly<Record<string, unknown>>, message: string): void
  }
}

export interface DatabaseNotices extends Notices {
  /** Reads new changes from the database once; never rejects. */
  look(): Promise<void>
  close(): Promise<void>
}

/**
 * A revoked key is refused, and its sockets end, at every gateway within a second. This wait is a quarter of it;
 * the change itself, the reload and a busy machine have the rest. A look reads one row by its key.
 */
const LOOK_EVERY_MS = 250
/** With more changes than this between two polls, everything is reloaded instead. */
const CHANGES_MAX = 200

/**
 * Change notices that also go through a database table, so that gateways without a common Redis see a change
 * within a second. This is the one place that writes them, for every service: right after the commit of a
 * change and before the response to its caller. If a notice cannot be written, the next poll announces that
 * everything changed.
 */
export async function openDatabaseNotices(parts: DatabaseNoticesParts): Promise<DatabaseNotices> {
  const { notices, db, clock, nodeId, log } = parts
  let seen = await lastChange(db)
  /** A change made by this process could not be written to the table. */
  let isUnwritten = false
  /** A listener failed to handle a notice, for example because its own query failed. */
  let isUntaken = false
  let isFailing = false

  async function write({ entity, id = '' }: Notice): Promise<void> {
    try {
      await recordChange(db, { entity, rowId: String(id), origin: nodeId, nowMs: clock.nowMs() })
    } catch (error) {
      isUnwritten = true
      log.warn({ error, entity }, 'could not announce a change to other gateways; will retry')
    }
  }

  async function read(): Promise<void> {
    if (isUnwritten) {
      isUnwritten = false
      await write({ entity: EVERYTHING })
    }
    const last = await lastChange(db)
    const missed = last === seen ? [] : await missedNotices(last)
    if (isUntaken) missed.push({ entity: EVERYTHING })
    isUntaken = false
    await Promise.all(missed.map((notice) => notices.tell(notice)))
  }

  /**
   * Returns each missed notice once. Changes written by this process are left out, because its listeners
   * already received them.
   */
  async function missedNotices(last: number): Promise<Notice[]> {
    const changes = await listChanges(db, { after: seen, limit: CHANGES_MAX })
    const isComplete = changes[0]?.number === seen + 1 && changes.length < CHANGES_MAX
    seen = isComplete ? (changes.at(-1)?.number ?? last) : last
    if (!isComplete) return [{ entity: EVERYTHING }]
    const others = changes.filter(({ origin }) => origin !== nodeId)
    return [
      ...new Map(others.map((change) => [`${change.entity} ${change.row_id}`, noticeOf(change)])).values(),
    ]
  }

  async function look(): Promise<void> {
    try {
      await read()
      if (isFailing)
        log.warn({}, 'the database is reachable again: changes made by other gateways are seen at once')
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error({ error }, 'could not read changes from the database; will retry')
      isFailing = true
    }
  }

  let looking: Promise<void> = Promise.resolve()
  let timer = setTimeout(lookAgain, LOOK_EVERY_MS).unref()
  let isClosed = false
  function lookAgain(): void {
    looking = look().finally(() => {
      if (!isClosed) timer = setTimeout(lookAgain, LOOK_EVERY_MS).unref()
    })
  }

  return {
    publish: async (notice) => {
      await Promise.all([notices.publish(notice), write(notice)])
    },
    tell: (notice) => notices.tell(notice),
    subscribe: (listener) =>
      notices.subscribe(async (notice) => {
        try {
          await listener(notice)
        } catch (error) {
          isUntaken = true
          throw error
        }
      }),
    look,
    close: () => {
      isClosed = true
      clearTimeout(timer)
      return looking
    },
  }
}

function noticeOf({ entity, row_id: id }: { entity: string; row_id: string }): Notice {
  return { entity, ...(id !== '' && { id }) }
}
