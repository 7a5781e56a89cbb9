/** Duration of the fault tests: short in every `npm test`, long with TOLLGATE_FAULTS=long. */
export const isLong = process.env['TOLLGATE_FAULTS'] === 'long'

export function shortOrLong(short: number, long: number): number {
  return isLong ? long : short
}

/**
 * The short form uses a fixed seed, so that it cannot fail by chance. The long form uses a random seed to
 * find new failures.
 */
export function seedOfRun(): number {
  const reported = Number(process.env['TOLLGATE_SEED'])
  const own = isLong ? (Math.random() * 2 ** 31) | 1 : 1
  const seed = reported > 0 ? reported : own
  console.log(`seed ${seed} (repeat with TOLLGATE_SEED=${seed})`)
  return seed
}

/** Repeatable random numbers (mulberry32). */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns an integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }

  one<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new RangeError('nothing to choose from')
    return value
  }

  chance(part: number): boolean {
    return this.below(1_000) < part * 1_000
  }
}
