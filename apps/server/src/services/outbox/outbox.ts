import type { Clock } from '@tollgate/kit/clock'
import type { Cipher } from '@tollgate/kit/cipher'
import { type NewWork, insertWork } from '@tollgate/store/operations/outbox'
import type { Db } from '@tollgate/store/tables/schema'

/** A queue for work that must not be lost or done twice. The outbox worker in `jobs/` executes it. */
export interface Outbox {
  /**
   * Returns false if the cause is already known: each cause is handled once. With `within`, the work is
   * queued in that transaction; call `wake` after the commit.
   */
  add(work: Work, within?: Db): Promise<boolean>
  /** Returns the row for a piece of work, for a transaction that other code writes; call `wake` after it. */
  sealed(work: Work): NewWork
  /** Makes the worker look for work now instead of at its next interval. */
  wake(): void
}

export interface Work {
  /** For example `welcome:7`; globally unique. */
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
  | 'quota-change'
  | 'alert'

export interface OutboxParts {
  readonly store: Db
  readonly clock: Clock
  /** Payloads contain codes and links, so they are stored encrypted. */
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
