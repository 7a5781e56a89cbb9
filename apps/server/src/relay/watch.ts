import type { Clock } from '@tollgate/kit/clock'
import { Places } from '@tollgate/kit/places'

/** Something that needs the time regularly: to enforce a limit or send a keep-alive comment. */
export interface Watched {
  tick(now: number): void
  /** The gateway is shutting down: end at once, with an error to the caller. */
  stopNow(): void
}

/** That a member is being watched. */
export class Watching {
  readonly member: Watched
  readonly #all: Places<Watching>
  #place: number | undefined

  constructor(member: Watched, all: Places<Watching>) {
    this.member = member
    this.#all = all
    this.#place = all.add(this)
  }

  /** Every call but the first has no effect. */
  end(): void {
    if (this.#place === undefined) return
    this.#all.remove(this.#place)
    this.#place = undefined
  }
}

/**
 * One timer for all calls under way, so that no call needs a timer of its own for its limits. Limits are
 * therefore accurate to a quarter of a second, which is enough for limits of seconds.
 */
export class Watch {
  readonly #watched = new Places<Watching>()
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock
    this.#onError = onError
  }

  /** A member that is stopped at once, because all were, is not watched. */
  add(member: Watched): Watching {
    const watching = new Watching(member, this.#watched)
    if (this.#isStopped) {
      watching.end()
      member.stopNow()
      return watching
    }
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref()
    return watching
  }

  /** Called by the timer, and directly by tests with a fake clock. */
  tick(): void {
    if (this.#watched.size === 0) return this.close()
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
    for (const watching of this.#watched) {
      try {
        act(watching.member)
      } catch (error) {
        watching.end()
        this.#onError(error)
      }
    }
  }
}

const TICK_MS = 250
