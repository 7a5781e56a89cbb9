import { createHmac } from 'node:crypto'
import { invariant } from '@tollgate/kit/invariant'

/**
 * Unpredictable but repeatable random numbers: an HMAC of a name. Every process with the same key draws the
 * same number.
 */
export interface SeededRandom {
  /** Returns an integer from `min` to `max` inclusive, uniformly distributed. */
  draw(name: string, range: { readonly min: number; readonly max: number }): number
}

export function openSeededRandom(key: Buffer): SeededRandom {
  return {
    draw: (name, { min, max }) => {
      invariant(
        Number.isSafeInteger(min) && Number.isSafeInteger(max) && min <= max,
        'a range of whole numbers',
      )
      const numbers = BigInt(max) - BigInt(min) + 1n
      // The modulo bias of 256 bits over at most 2^53 values is negligible.
      const drawn = BigInt(`0x${createHmac('sha256', key).update(`lot:${name}`).digest('hex')}`)
      return min + Number(drawn % numbers)
    },
  }
}
