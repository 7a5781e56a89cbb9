/** Seeded random numbers of a test run. The seed is printed; `TOLLGATE_SEED` replays it. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** An integer in [0, bound). */
  below(bound: number): number
}

export const isLong = process.env['TOLLGATE_FAULTS'] === 'long'

/**
 * The short form uses the same seed each time, so that it cannot fail by chance; the long form uses a new one
 * to find new failures.
 */
export function seedOfRun(): number {
  const reported = Number(process.env['TOLLGATE_SEED'])
  if (Number.isSafeInteger(reported) && reported > 0) return reported
  return isLong ? Date.now() % 2 ** 31 : 1
}

/** Number of operations of a fault test; `TOLLGATE_FAULTS=long` selects the long form. */
export function faultFloor(sizes: { short: number; long: number }): number {
  return isLong ? sizes.long : sizes.short
}

/** The Mulberry32 generator. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, below: (bound) => Math.floor(next() * bound) }
}
