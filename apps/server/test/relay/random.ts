/** Randomness of a test run: seeded, printed, replayed with `TOLLGATE_SEED`. */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number in [0, bound). */
  below(bound: number): number
}

const isLong = process.env['TOLLGATE_FAULTS'] === 'long'

/** The short form draws the same numbers each time, so that it cannot fail by chance; the long form looks for news. */
export function seedOfRun(): number {
  const told = Number(process.env['TOLLGATE_SEED'])
  if (Number.isSafeInteger(told) && told > 0) return told
  return isLong ? Date.now() % 2 ** 31 : 1
}

/** How many operations a fault test must do: the long form runs with `TOLLGATE_FAULTS=long`. */
export function faultFloor(sizes: { short: number; long: number }): number {
  return isLong ? sizes.long : sizes.short
}

/** Mulberry32. */
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
