import { Places } from '@tollgate/kit/places'
import type { LocalCall } from './local-call.ts'

/** The calls in flight of this process by their holds, the oldest first. */
export class CallsInFlight {
  /** Without the calls themselves, which it would keep after their end; see `Places`. */
  readonly #places = new Map<string, number>()
  readonly #calls = new Places<LocalCall>()

  get size(): number {
    return this.#places.size
  }

  get oldest(): LocalCall | undefined {
    const { done, value } = this.#places.values().next()
    return done ? undefined : this.#calls.get(value)
  }

  has(holdId: string): boolean {
    return this.#places.has(holdId)
  }

  get(holdId: string): LocalCall | undefined {
    const place = this.#places.get(holdId)
    return place === undefined ? undefined : this.#calls.get(place)
  }

  /** There is no call with the same hold. */
  add(call: LocalCall): void {
    this.#places.set(call.holdId, this.#calls.add(call))
  }

  remove({ holdId }: LocalCall): void {
    const place = this.#places.get(holdId)
    if (place === undefined) return
    this.#places.delete(holdId)
    this.#calls.remove(place)
  }

  *[Symbol.iterator](): Generator<LocalCall> {
    for (const place of this.#places.values()) {
      const call = this.#calls.get(place)
      if (call !== undefined) yield call
    }
  }
}
