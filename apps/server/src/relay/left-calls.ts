/** A call that goes on although its caller left. */
export interface FollowedCall {
  /** The call has ended. Every call but the first has no effect. */
  end(): void
}

export interface LeftCall {
  readonly userId: number
  /** How many calls of this user may go on; see `LEFT_CALLS_OF_USER`. */
  readonly ofUserMax: number
  /** Ends the call, because too many later ones were left. */
  readonly displace: () => void
}

/** Calls of a user that go on after their caller left: of one who has paid, and of one who has not. */
export const LEFT_CALLS_OF_USER = { paid: 8, unpaid: 2 } as const
/** The same, of all users of a process. */
export const LEFT_CALLS_MAX = 256

/**
 * The calls of a process that go on after their callers left, because their vendors work on. They are bounded, so that
 * nobody can keep vendors busy without waiting for answers; the oldest one makes room for the latest.
 */
export class LeftCalls {
  /** In the order in which their callers left. */
  readonly #all = new Set<LeftCall>()
  readonly #byUser = new Map<number, Set<LeftCall>>()

  get size(): number {
    return this.#all.size
  }

  add(call: LeftCall): FollowedCall {
    const ofUser = this.#byUser.get(call.userId) ?? new Set()
    this.#byUser.set(call.userId, ofUser)
    this.#all.add(call)
    ofUser.add(call)
    if (ofUser.size > call.ofUserMax) this.#displaceFirst(ofUser)
    if (this.#all.size > LEFT_CALLS_MAX) this.#displaceFirst(this.#all)
    return { end: () => this.#remove(call) }
  }

  #displaceFirst(calls: ReadonlySet<LeftCall>): void {
    const [oldest] = calls
    if (oldest === undefined) return
    this.#remove(oldest)
    oldest.displace()
  }

  #remove(call: LeftCall): void {
    this.#all.delete(call)
    const ofUser = this.#byUser.get(call.userId)
    ofUser?.delete(call)
    if (ofUser?.size === 0) this.#byUser.delete(call.userId)
  }
}
