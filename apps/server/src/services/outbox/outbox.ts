import type { Clock } from '@tollgate/kit/clock'
import type { Cipher } from '@tollgate/kit/cipher'
import { type NewWork, insertWork } from '@tollgate/store/outbox'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'

/** Work that must not be lost nor done twice: queued here, done by the worker of `jobs/`. */
export interface Outbox {
  /**
   * False when the cause is known already: one cause is served once. With `within`, the work is queued by the
   * transaction that causes it or not at all; call `wake` after it.
   */
  add(work: Work, within?: Kysely<Database>): Promise<boolean>
  /** The row of a piece of work, for a transaction that is not ours to write; call `wake` after it. */
  sealed(work: Work): NewWork
  /** Looks for work now instead of at its next time. */
  wake(): void
}

export interface Work {
  /** For example `welcome:7`; unique for ever. */
  readonly cause: string
  readonly kind: WorkKind
  readonly payload: object
}

export type WorkKind =
  | 'mail'
  | 'webhook'
  | 'welcome'
  | 'credit'
  | 'code-request'
  | 'reset-request'
  | 'account-change'

export interface OutboxParts {
  readonly store: Kysely<Database>
  readonly clock: Clock
  /** Payloads hold codes and links: they are stored sealed. */
  readonly cipher: Cipher
  readonly onAdded: () => void
}

export function openOutbox({ store, clock, cipher, onAdded }: OutboxParts): Outbox {
  const sealed = ({ cause, kind, payload }: Work): NewWork => {
    const nowMs = clock.nowMs()
    const text = cipher.encrypt(JSON.stringify(payload), outboxContext(cause))
    return { cause, kind, payload: text, dueMs: nowMs, nowMs }
  }
  return {
    add: async (work, within) => {
      const isNew = await insertWork(within ?? store, sealed(work))
      if (!within) onAdded()
      return isNew
    },
    sealed,
    wake: onAdded,
  }
}

export function outboxContext(cause: string): string {
  return `outbox:${cause}`
}
