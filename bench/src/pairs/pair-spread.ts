/** Ratios of pairs in ascending order of size: 0.97 means that the second of a pair had 3 % less than the first. */
export interface PairSpread {
  readonly median: number
  readonly min: number
  readonly lowerQuartile: number
  readonly upperQuartile: number
  readonly max: number
}

/** Quantiles lie between neighbours by linear interpolation. Throws if there are no ratios. */
export function pairSpread(ratios: readonly number[]): PairSpread {
  if (ratios.length === 0) throw new Error('no pairs were measured')
  const sorted = ratios.toSorted((left, right) => left - right)
  const at = (part: number): number => {
    const place = (sorted.length - 1) * part
    const low = sorted[Math.floor(place)] ?? 0
    const high = sorted[Math.ceil(place)] ?? 0
    return low + (high - low) * (place % 1)
  }
  return { median: at(0.5), min: at(0), lowerQuartile: at(0.25), upperQuartile: at(0.75), max: at(1) }
}
