/**
 * The balance each form was last shown. Consoles of the family send back an absolute quota without saying what they had
 * loaded: what was used in between would be given back. What they had loaded is known here.
 */
export interface ShownQuotas {
  remember(form: ShownForm, quota: number): void
  /** `undefined` when this process has not shown the user to them. */
  recall(form: ShownForm): number | undefined
}

export interface ShownForm {
  readonly actorId: number
  readonly userId: number
}

const FORMS_MAX = 10_000

export function shownQuotas(): ShownQuotas {
  // Insertion order is order of showing: the first is the oldest.
  const shown = new Map<string, number>()
  return {
    remember: (form, quota) => {
      const key = keyOf(form)
      shown.delete(key)
      shown.set(key, quota)
      const [oldest] = shown.keys()
      if (shown.size > FORMS_MAX && oldest !== undefined) shown.delete(oldest)
    },
    recall: (form) => shown.get(keyOf(form)),
  }
}

function keyOf({ actorId, userId }: ShownForm): string {
  return `${actorId}:${userId}`
}
