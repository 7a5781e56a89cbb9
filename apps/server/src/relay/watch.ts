import type { Clock } from '@tollgate/kit/clock'

/** Something that wants to know now and then what time it is: a limit to enforce, a comment to send. */
export interface Watched {
  tick(now: number): void
  /** The gateway stops: end at once, honestly. */
  stopNow(): void
}

/**
 * One timer for all calls under way, so that limits cost a call no timer of its own. Limits are therefore kept to a
 * quarter of a second, which is enough for limits of seconds.
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

  /** What the timer does; tests with a clock of their own call it. */
  tick(): void {
    if (this.#members.size === 0) return this.close()
    const now = this.#clock.monotonicMs()
    this.#each((member) => member.tick(now))
  }

  /** From now on nobody goes on, and nobody begins. */
  stopAll(): void {
    this.#isStopped = true
    this.#each((member) => member.stopNow())
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** A bug in one call does not keep the others from being watched. */
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
