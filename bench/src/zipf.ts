const EXPONENT = 1

/**
 * `count` draws of the numbers from 0 to `users - 1`, the same in every run. User n is drawn with a
 * probability proportional to 1 / (n + 1), as a few users of a real site make most of its calls.
 */
export function zipfDraws({ users, count }: { users: number; count: number }): Uint32Array {
  const cumulated = new Float64Array(users)
  let total = 0
  for (let user = 0; user < users; user++) {
    total += 1 / (user + 1) ** EXPONENT
    cumulated[user] = total
  }
  const random = seededRandom(users)
  return Uint32Array.from({ length: count }, () => indexAbove(cumulated, random() * total))
}

/** The first index whose value is above `wanted`; the values ascend. */
function indexAbove(values: Float64Array, wanted: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) > wanted) high = middle
    else low = middle + 1
  }
  return low
}

/** Mulberry32: numbers from 0 to 1. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
