export interface Spread {
  readonly medianMs: number
  readonly p99Ms: number
}

export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0
  return { medianMs: at(0.5), p99Ms: at(0.99) }
}
