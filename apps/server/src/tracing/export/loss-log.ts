import type { Log } from '../../relay/log.ts'

const LOG_EVERY_MS = 60_000

/** Logs spans that did not reach the collector, in at most one line a minute. */
export class LossLog {
  readonly #log: Pick<Log, 'warn'>
  readonly #now: () => number
  #lost = 0
  #loggedAt = Number.NEGATIVE_INFINITY

  /** `now` is a monotonic time in milliseconds. */
  constructor(log: Pick<Log, 'warn'>, now: () => number) {
    this.#log = log
    this.#now = now
  }

  lost(spans: number, reason: string): void {
    this.#lost += spans
    const now = this.#now()
    if (now - this.#loggedAt < LOG_EVERY_MS) return
    this.#loggedAt = now
    this.#log.warn({ lost: this.#lost, reason }, 'could not send traces to the collector')
    this.#lost = 0
  }
}
