/** A window is divided into this many slices. An event leaves the count up to one slice early, never late. */
export const SLICES = 60

interface Slice {
  readonly index: number
  count: number
}

/** Counts the events of the last `windowMs` in bounded memory, however many there are. */
export class SlidingCount {
  readonly #windowMs: number
  readonly #slices: Slice[] = []
  #total = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  total(nowMs: number): number {
    const oldest = this.#indexAt(nowMs) - SLICES
    while (this.#slices[0] && this.#slices[0].index <= oldest) this.#total -= this.#slices.shift()?.count ?? 0
    return this.#total
  }

  add(count: number, nowMs: number): void {
    const index = this.#indexAt(nowMs)
    const latest = this.#slices.at(-1)
    if (latest?.index === index) latest.count += count
    else this.#slices.push({ index, count })
    this.#total += count
  }

  /** Uncounts the most recent events. */
  remove(count: number): void {
    let left = Math.min(count, this.#total)
    this.#total -= left
    while (left > 0) {
      const latest = this.#slices.at(-1)
      if (!latest) return
      const taken = Math.min(left, latest.count)
      latest.count -= taken
      left -= taken
      if (latest.count === 0) this.#slices.pop()
    }
  }

  /** Milliseconds until the count falls to `allowance`; the whole window when it never will. */
  fitsAfterMs(allowance: number, nowMs: number): number {
    let remaining = this.total(nowMs)
    for (const slice of this.#slices) {
      remaining -= slice.count
      if (remaining <= allowance) return Math.max(1, Math.ceil(this.#leavesAtMs(slice.index) - nowMs))
    }
    return this.#windowMs
  }

  #indexAt(nowMs: number): number {
    return Math.floor((nowMs * SLICES) / this.#windowMs)
  }

  #leavesAtMs(index: number): number {
    return ((index + SLICES) * this.#windowMs) / SLICES
  }
}
