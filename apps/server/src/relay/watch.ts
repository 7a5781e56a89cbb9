import type { Clock } from '@tollgate/kit/clock'

/** Something that needs the time regularly: to enforce a limit or send a keep-alive comment. */
export interface Watched {
  tick(now: number): void
  /** The gateway is shutting down: end at once, with an error to the caller. */
  stopNow(): void
}

/**
 * One timer for all calls under way, so that no call needs a timer of its own for its limits. Limits are
 * therefore accurate to a quarter of a second, which is enough for limits of seconds.
 */
export class Watch {
  readonly #members = new Set<Watched>()
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock
    this.#onError = onError
  }

  add(member: Watched): void {
    if (this.#isStopped) return member.stopNow()
    this.#members.add(member)
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref()
  }

  remove(member: Watched): void {
    this.#members.delete(member)
  }

  /** Called by the timer, and directly by tests with a fake clock. */
  tick(): void {
    if (this.#members.size === 0) return this.close()
    const now = this.#clock.monotonicMs()
    this.#each((member) => member.tick(now))
  }

  /** Stops all members, and every member added later. */
  stopAll(): void {
    this.#isStopped = true
    this.#each((member) => member.stopNow())
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** An error in one call does not stop the others from being watched. */
  #each(act: (member: Watched) => void): void {
    for (const member of this.#members) {
      try {
        act(member)
      } catch (error) {
        this.#members.delete(member)
        this.#onError(error)
      }
    }
  }
}

const TICK_MS = 250
