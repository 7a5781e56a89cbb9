/**
 * Values that come and go often, such as the calls under way, each at a place of its own; a free place is given again.
 *
 * A `Set` or `Map` of such values keeps what was removed: V8 replaces its table after some additions and
 * removals, and lets the old table point to the new one. A table that a full garbage collection moved to the old
 * generation therefore keeps all later tables, with the values that were in them, until the next full collection.
 */
export class Places<Value extends object> {
  readonly #values: (Value | undefined)[] = []
  readonly #free: number[] = []

  add(value: Value): number {
    const place = this.#free.pop() ?? this.#values.length
    this.#values[place] = value
    return place
  }

  get(place: number): Value | undefined {
    return this.#values[place]
  }

  /** Does nothing if nothing is there. */
  remove(place: number): void {
    if (this.#values[place] === undefined) return
    this.#values[place] = undefined
    this.#free.push(place)
  }

  get size(): number {
    return this.#values.length - this.#free.length
  }

  /** In no particular order; values may be added and removed meanwhile. */
  *[Symbol.iterator](): Generator<Value> {
    for (const value of this.#values) if (value !== undefined) yield value
  }
}
