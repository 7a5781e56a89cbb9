import { EVERYTHING, type Notice, type Notices } from '@tollgate/coordination/notices'
import type { Clock } from '@tollgate/kit/clock'
import { lastChange, listChanges, noteChange } from '@tollgate/store/changes'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'

export interface DatabaseNoticesParts {
  /** By Redis, by the parent process, or within this process alone. */
  readonly notices: Notices
  readonly db: Kysely<Database>
  readonly clock: Clock
  /** Names this process. */
  readonly nodeId: string
  readonly log: {
    warn(fields: Readonly<Record<string, unknown>>, message: string): void
    error(fields: Readonly<Record<string, unknown>>, message: string): void
  }
}

export interface DatabaseNotices extends Notices {
  /** Asks once for changes; never rejects. */
  look(): Promise<void>
  close(): Promise<void>
}

/** Together with the reading that follows, a revoked key is refused everywhere within a second. */
const LOOK_EVERY_MS = 750
/** More changes than this between two looks: everything is read again instead. */
const CHANGES_MAX = 200

/**
 * Notices that also go through the database, so that processes without a common Redis hear of a change within a second.
 * A notice is written right after the commit of its change and before the caller is answered, at this one place for every
 * service; one that cannot be written is made up for at the next look.
 */
export async function openDatabaseNotices(parts: DatabaseNoticesParts): Promise<DatabaseNotices> {
  const { notices, db, clock, nodeId, log } = parts
  let seen = await lastChange(db)
  /** A change of ours could not be written down. */
  let isUnwritten = false
  /** A listener could not take a notice, for example because its own query failed. */
  let isUntaken = false
  let isFailing = false

  async function write({ entity, id = '' }: Notice): Promise<void> {
    try {
      await noteChange(db, { entity, rowId: String(id), origin: nodeId, nowMs: clock.nowMs() })
    } catch (error) {
      isUnwritten = true
      log.warn({ error, entity }, 'other gateways could not be told of a change; trying again')
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

  /** Each notice once. What this process wrote itself, it has been told already. */
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
      if (isFailing) log.warn({}, 'the database answers again: changes made elsewhere are seen at once')
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error({ error }, 'the database could not be asked for changes; asking again')
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
