const SAMPLES_MAX = 5
const LEARNED_MS_MIN = 1_000
const LEARNED_MS_MAX = 60_000
/** Connections are given up before the other side would close them. */
const KEPT_SHARE = 0.8
const LEARNED_FOR_MS = 60 * 60_000
/** Closes so shortly after each other have one cause, such as a restart. */
const AT_ONCE_MS = 1_000

interface IdleSample {
  /** Monotonic time of the last close that it stands for. */
  at: number
  idleMs: number
}

/**
 * How long an origin leaves an idle connection open, learned from the connections that it closed. Many vendors
 * close them after 15 seconds without announcing it.
 */
export class IdleTime {
  #samples: IdleSample[] = []

  /** The other side closed a connection that was idle for so long. */
  learn(idleMs: number, now: number): void {
    const latest = this.#samples.at(-1)
    if (latest !== undefined && now - latest.at < AT_ONCE_MS) {
      latest.at = now
      latest.idleMs = Math.max(latest.idleMs, idleMs)
      return
    }
    this.#samples.push({ at: now, idleMs })
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift()
  }

  /** How long a connection may be idle before the next request; `undefined` where nothing is known. */
  keptMs(now: number): number | undefined {
    if (this.#samples.length === 0) return undefined
    this.#samples = this.#samples.filter(({ at }) => now - at < LEARNED_FOR_MS)
    const sorted = this.#samples.map(({ idleMs }) => idleMs).toSorted((one, other) => one - other)
    const median = sorted[Math.floor((sorted.length - 1) / 2)]
    if (median === undefined) return undefined
    return Math.min(LEARNED_MS_MAX, Math.max(LEARNED_MS_MIN, median)) * KEPT_SHARE
  }
}
