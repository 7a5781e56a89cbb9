import type { Binding, BindingPlace, Bindings } from './binding.ts'

/** A session in one group, for one model, and what was known of its binding last. */
export interface Place extends BindingPlace {
  /** The session is different for each owner, so the key is too. */
  readonly key: string
  text: string | undefined
  binding: Binding | undefined
  bindings: Bindings | undefined
  /** Until when a call that is served by the binding need not write it again. */
  renewAtMs: number
}

const SESSIONS_MAX = 10_000
/** An agent calls a large model and a small one. */
const PLACES_MAX = 4

/**
 * The places of recent sessions in this process. An agent makes many calls in each, and for all but the first
 * its key is put together and its binding is read already.
 */
export class RecentBindings {
  readonly #sessions = new Map<string, Place[]>()

  place(session: string, { group, model }: BindingPlace): Place {
    const known = this.#sessions.get(session)
    const found = known?.find((place) => place.model === model && place.group === group)
    if (found !== undefined) return found
    const key = `${session} ${group} ${model}`
    const place = {
      group,
      model,
      key,
      text: undefined,
      binding: undefined,
      bindings: undefined,
      renewAtMs: 0,
    }
    if (known === undefined) this.#add(session, place)
    else {
      if (known.length >= PLACES_MAX) known.shift()
      known.push(place)
    }
    return place
  }

  clear(): void {
    this.#sessions.clear()
  }

  #add(session: string, place: Place): void {
    if (this.#sessions.size >= SESSIONS_MAX) this.#sessions.clear()
    this.#sessions.set(session, [place])
  }
}
