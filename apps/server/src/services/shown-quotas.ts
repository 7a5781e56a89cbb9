import type { Coordination } from '@tollgate/coordination/coordination'
import type { Actor } from './handler.ts'

/**
 * Remembers the quota of a user or token that a caller was last shown. Consoles written for new-api send back
 * an absolute quota without stating what they had loaded, which would restore quota spent in between; with
 * the remembered value the change can be computed. Processes that share the coordination share these values;
 * without Redis, a second node does not know them.
 */
export interface ShownQuotas {
  remember(form: ShownForm, quota: number): void
  /** Returns `undefined` when the value was not shown to the actor recently. Never rejects. */
  recall(form: ShownForm): Promise<number | undefined>
}

export interface ShownForm {
  /**
   * A script with an access token is separate from the same user's console: the value shown to one says
   * nothing about the other.
   */
  readonly actor: Pick<Actor, 'id' | 'via'>
  readonly entity: 'user' | 'token'
  readonly id: number
}

/** Three days, so that a form may stay open over a weekend. */
const SHELF = {
  lifetimeMs: 3 * 24 * 60 * 60_000,
  entriesMax: 20_000,
  bytesMax: 2 * 1024 * 1024,
  valueBytesMax: 32,
}

export function openShownQuotas({ ttlCache }: Pick<Coordination, 'ttlCache'>): ShownQuotas {
  const shown = ttlCache('shown-quotas', SHELF)
  return {
    remember: (form, quota) => shown.put(keyOf(form), String(quota)),
    recall: async (form) => {
      const key = keyOf(form)
      const text = (await shown.find([key])).get(key)
      return text === undefined ? undefined : Number(text)
    },
  }
}

function keyOf({ actor, entity, id }: ShownForm): string {
  return `${actor.id}:${actor.via}:${entity}:${id}`
}
