import { bucketOf } from '@tollgate/kit/buckets'

/** Calls since the figures were taken last. */
export class RecentCalls {
  #calls = 0
  #failed = 0
  #durations = new Map<number, number>()

  add(durationMs: number, isFailed: boolean): void {
    this.#calls++
    if (isFailed) this.#failed++
    const bucket = bucketOf(durationMs)
    this.#durations.set(bucket, (this.#durations.get(bucket) ?? 0) + 1)
  }

  take(): {
    readonly calls: number
    readonly failed: number
    readonly durations: ReadonlyMap<number, number>
  } {
    const taken = { calls: this.#calls, failed: this.#failed, durations: this.#durations }
    this.#calls = 0
    this.#failed = 0
    this.#durations = new Map()
    return taken
  }
}
