import process from 'node:process'

export const SMALL = 256 * 1024
export const LARGE = 1024 * 1024
/** Input four times as large may take six times as long; caches and garbage collection are included. */
export const GROWTH_MAX = 6
/** Milliseconds. Shorter times are too noisy to say anything about growth. */
const FLOOR_MS = 12
const TRIES_MAX = 8
/**
 * Limits for the early check with inputs of 16 and 64 KiB (`SMALL / 16` and `SMALL / 4`), which is less
 * precise.
 */
const EARLY_GROWTH_MAX = 10
const EARLY_TRIES_MAX = 3

/** Work on an input of a given size. Making the input is not part of the measured time. */
export interface Scan<Input> {
  readonly name: string
  readonly input: (size: number) => Input
  readonly run: (input: Input) => unknown
}

export interface Growth {
  readonly smallMs: number
  readonly largeMs: number
  readonly isTooMuch: boolean
}

/**
 * Measures how much longer the large input takes, in processor time of this thread, so that other processes
 * do not count. While the growth looks too high, measurements are repeated and the most favourable ones kept:
 * one good pair proves that the growth does not come from the code.
 */
export function growthOf<Input>({ input, run }: Scan<Input>): Growth {
  const time = (size: number): number => {
    const made = input(size)
    return best(() => run(made), 1)
  }
  // Checks small inputs first, so that quadratic code is not run at full size.
  let firstMs = time(SMALL / 16)
  let secondMs = time(SMALL / 4)
  for (let tries = 0; secondMs > FLOOR_MS * 4 && secondMs > firstMs * EARLY_GROWTH_MAX; tries++) {
    if (tries === EARLY_TRIES_MAX) return { smallMs: firstMs, largeMs: secondMs, isTooMuch: true }
    firstMs = Math.max(firstMs, time(SMALL / 16))
    secondMs = Math.min(secondMs, time(SMALL / 4))
  }
  let smallMs = time(SMALL)
  let largeMs = time(LARGE)
  for (let tries = 0; tries < TRIES_MAX && isTooMuch(smallMs, largeMs); tries++) {
    smallMs = Math.max(smallMs, time(SMALL))
    largeMs = Math.min(largeMs, time(LARGE))
  }
  return { smallMs, largeMs, isTooMuch: isTooMuch(smallMs, largeMs) }
}

function isTooMuch(smallMs: number, largeMs: number): boolean {
  return largeMs > FLOOR_MS && largeMs > Math.max(smallMs, FLOOR_MS / GROWTH_MAX) * GROWTH_MAX
}

/** The lowest processor time of several runs, in milliseconds. */
export function best(work: () => unknown, times: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let each = 0; each < times; each++) {
    const from = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(from)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** Makes each input once, because several scans share it. */
export function cached<Input>(make: (size: number) => Input): (size: number) => Input {
  const made = new Map<number, Input>()
  return (size) => {
    const known = made.get(size)
    if (known !== undefined) return known
    const fresh = make(size)
    made.set(size, fresh)
    return fresh
  }
}

/** A text of exactly `size` characters, made by repeating `unit`. */
export function filled(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
}
