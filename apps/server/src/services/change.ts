import type { Clock } from '@tollgate/kit/clock'
import { insertAudit } from '@tollgate/store/accounts/audit-log'
import type { Database, Db } from '@tollgate/store/tables/schema'
import type { Transaction } from 'kysely'
import type { Actor } from './handler.ts'

export interface Changes {
  /**
   * Makes a change on behalf of a person: one transaction holds the work and its audit rows, so that neither
   * exists without the other. After the commit every process is notified. Do not use the ledger, or the store
   * outside of the transaction, in `work`: over SQLite they wait for the transaction to end.
   *
   *     await change(call, {
   *       action: 'remove',
   *       entity: 'token',
   *       work: (transaction) => removeToken(transaction, { id, ownerId: call.actor.id, nowMs }),
   *       row: { entityId: id, notice: ['tokens', id] },
   *     })
   */
  readonly change: <Result>(by: ChangedBy, change: Change<Result>) => Promise<Result>
  /** Records what a person did without changing anything, for example that they were shown a key. */
  readonly audit: (by: ChangedBy, row: AuditAction & AuditDetails) => Promise<void>
}

/** Who acts, and from which address. Every call of a route is one. */
export interface ChangedBy {
  readonly actor: Pick<Actor, 'id'>
  readonly address: string
}

export interface AuditAction {
  /** Verb, for example `create`, `update`, `remove`, `reveal`. */
  readonly action: string
  /** Table or noun, for example `channel`. */
  readonly entity: string
}

export interface Change<Result> extends AuditAction {
  readonly work: (transaction: Transaction<Database>) => Promise<Result>
  /** `undefined` or an empty list when the work changed nothing. */
  readonly row: ChangeRow | ((result: Result) => ChangeRow | readonly ChangeRow[] | undefined)
}

/** Never pass a secret in `before` or `after`. */
export interface AuditDetails {
  readonly entityId: string | number
  readonly before?: unknown
  readonly after?: unknown
}

export interface ChangeRow extends AuditDetails {
  /** Whose change it is, when only the work finds out. */
  readonly actorId?: number
  /** When the change happened, if that was before its audit row is written. */
  readonly atMs?: number
  /** The table whose snapshots every process reloads, or one row of it. */
  readonly notice?: Topic | readonly [Topic, number]
}

/** Notifies this process and all others that a table changed, so that they reload their snapshots. */
export interface ChangeNotices {
  /** With the id of the only row that changed, only that row is reloaded. */
  publish(topic: Topic, id?: number): Promise<void>
}
/** `emptiedUsers`, `emptiedTokens`: all quota was taken away by hand. */
export type Topic = 'options' | 'users' | 'tokens' | 'channels' | 'jobs' | 'emptiedUsers' | 'emptiedTokens'

export interface ChangesParts {
  readonly store: Db
  readonly clock: Clock
  readonly notices: ChangeNotices
}

export function openChanges({ store, clock, notices }: ChangesParts): Changes {
  function write(db: Db, by: ChangedBy, row: AuditAction & ChangeRow): Promise<void> {
    return insertAudit(db, {
      actor_id: row.actorId ?? by.actor.id,
      action: row.action,
      entity: row.entity,
      entity_id: String(row.entityId),
      before_json: textOf(row.before),
      after_json: textOf(row.after),
      address: by.address,
      created_ms: row.atMs ?? clock.nowMs(),
    })
  }

  return {
    change: async (by, { action, entity, work, row }) => {
      const { result, rows } = await store.transaction().execute(async (transaction) => {
        const result = await work(transaction)
        const rows = [typeof row === 'function' ? row(result) : row].flat().filter((one) => one !== undefined)
        for (const one of rows) await write(transaction, by, { ...one, action, entity })
        return { result, rows }
      })
      for (const { notice } of rows)
        if (typeof notice === 'string') await notices.publish(notice)
        else if (notice) await notices.publish(...notice)
      return result
    },
    audit: (by, row) => write(store, by, row),
  }
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
}
