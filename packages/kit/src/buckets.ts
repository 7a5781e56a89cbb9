/**
 * A histogram of durations. Each bucket is 10 % wider than the one before, so any number of durations takes
 * little space, histograms can be added up, and a quantile is accurate to within five per cent.
 */
export type Buckets = ReadonlyMap<number, number>

const STEP = 1.1

export function bucketOf(ms: number): number {
  return Math.round(Math.log(Math.max(ms, 1)) / Math.log(STEP))
}

/** The duration below which the given share of all durations lies; `undefined` for an empty histogram. */
export function quantileMs(buckets: Buckets, share: number): number | undefined {
  const inOrder = [...buckets].sort(([left], [right]) => left - right)
  let left = share * inOrder.reduce((sum, [, count]) => sum + count, 0)
  const found = inOrder.find(([, count]) => (left -= count) <= 0)
  return found && Math.round(STEP ** found[0])
}

/** Serialised as `bucket:count` pairs, for example `12:3,15:1`. */
export function bucketsText(buckets: Buckets): string {
  return [...buckets].map(([bucket, count]) => `${bucket}:${count}`).join(',')
}

export function parseBuckets(text: string): Buckets {
  if (text === '') return new Map()
  return new Map(
    text.split(',').map((pair) => {
      const [bucket, count] = pair.split(':').map(Number)
      return [bucket ?? 0, count ?? 0] as const
    }),
  )
}

export function addBuckets(into: Map<number, number>, more: Buckets): void {
  for (const [bucket, count] of more) into.set(bucket, (into.get(bucket) ?? 0) + count)
}
