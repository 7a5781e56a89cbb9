/** Counts values in the buckets of a Prometheus histogram; `bounds` ascend. */
export class BucketCounts {
  readonly bounds: readonly number[]
  /** One count for each bound and one for larger values; not cumulative. */
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  add(value: number): void {
    const { bounds, counts } = this
    let at = 0
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++
    counts[at] = (counts[at] ?? 0) + 1
    this.sum += value
  }
}
