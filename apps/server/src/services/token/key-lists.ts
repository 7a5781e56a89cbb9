import type { Limiter } from '@tollgate/coordination/limits'
import type { Clock } from '@tollgate/kit/clock'
import { countInAudit } from '@tollgate/store/accounts/counted-audit'
import type { Db } from '@tollgate/store/tables/schema'
import { shownSession } from '../account/sessions.ts'
import type { Actor } from '../handler.ts'
import type { Changes } from '../change.ts'
import { requireAllowed } from '../require-allowed.ts'

/** Rate-limits and audits responses that contain several complete keys. */
export interface KeyLists {
  /** Call it before the response is sent. Throws `too_many_requests`. */
  note(list: { actor: Actor; address: string; keys: number }): Promise<void>
}

const HOUR_MS = 3_600_000
const ACTION = 'list-keys'

export interface KeyListParts {
  readonly store: Db
  readonly clock: Clock
  readonly limiter: Limiter
  readonly audit: Changes['audit']
}

/**
 * A console lists keys for every page of a list. These responses are combined into one audit row per session
 * and hour, which counts responses and keys.
 */
export function openKeyLists({ store, clock, limiter, audit }: KeyListParts): KeyLists {
  return {
    note: async ({ actor, address, keys }) => {
      requireAllowed(await limiter.consume(String(actor.id)))
      const { id: actorId, sessionHash: idHash } = actor
      if (idHash === undefined) {
        const after = { answers: 1, keys }
        return audit({ actor, address }, { action: ACTION, entity: 'access-token', entityId: actorId, after })
      }
      const nowMs = clock.nowMs()
      const named = { actor_id: actorId, action: ACTION, entity: 'session', entity_id: shownSession(idHash) }
      const row = { ...named, address, created_ms: nowMs }
      const sinceMs = nowMs - (nowMs % HOUR_MS)
      await countInAudit(store, { idHash, row, sinceMs, count: (before) => added(before, keys) })
    },
  }
}

function added(before: string | undefined, keys: number): string {
  const counted: { answers?: number; keys?: number } = before === undefined ? {} : JSON.parse(before)
  return JSON.stringify({ answers: (counted.answers ?? 0) + 1, keys: (counted.keys ?? 0) + keys })
}
