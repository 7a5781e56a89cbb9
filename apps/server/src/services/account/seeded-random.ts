import { createHmac } from 'node:crypto'
import { invariant } from '@tollgate/kit/invariant'

/** Draws that nobody can foresee, and that come out the same however often they are made and wherever. */
export interface SeededRandom {
  /** A whole number from `min` to `max`, both possible, all as likely. */
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
      // 256 bits over at most 2^53 numbers: the bias is not worth a second draw.
      const drawn = BigInt(`0x${createHmac('sha256', key).update(`lot:${name}`).digest('hex')}`)
      return min + Number(drawn % numbers)
    },
  }
}
