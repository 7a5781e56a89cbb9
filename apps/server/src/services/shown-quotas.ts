import type { Coordination } from '@tollgate/coordination/coordination'
import type { Actor } from './handler.ts'

/**
 * The quota that somebody was last shown of a user or token. Consoles of the family send back an absolute quota without
 * saying what they had loaded: what was spent in between would be given back. What they had loaded is known here, at
 * every process that shares the coordination; without Redis a second node does not know it.
 */
export interface ShownQuotas {
  remember(form: ShownForm, quota: number): void
  /** `undefined` when it was not shown to them lately. Never rejects. */
  recall(form: ShownForm): Promise<number | undefined>
}

export interface ShownForm {
  /** A script with an access token is not the console of the same person: what one was shown says nothing of the other. */
  readonly actor: Pick<Actor, 'id' | 'via'>
  readonly entity: 'user' | 'token'
  readonly id: number
}

/** A form may stay open over a weekend. */
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
