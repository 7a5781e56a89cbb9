import type { Note } from './note.ts'

/** Opening balances of an account, in quota units. */
export interface OpeningBalance {
  /** Quota that can still be spent; negative means debt. */
  readonly remaining: bigint
  readonly used: bigint
}

/** The largest amount that a console can show exactly. Sums of many such amounts still fit into 64 bits. */
export const AMOUNT_MAX = 2n ** 53n

interface Claimed extends OpeningBalance {
  readonly table: string
  readonly id: number
}

/**
 * Bounds the amounts and sets negative use to zero. Negative use comes from faulty refunds in the source;
 * `remaining` is kept, because that is what the owner was promised.
 */
export function sanitizeAmounts({ table, id, ...claimed }: Claimed): {
  figures: OpeningBalance
  notes: readonly Note[]
} {
  const figures = { remaining: bounded(claimed.remaining), used: bounded(claimed.used) }
  const detail = `remaining ${claimed.remaining}, used ${claimed.used}`
  const notes: Note[] = []
  if (figures.remaining !== claimed.remaining || figures.used !== claimed.used)
    notes.push({ table, id, code: 'figures-too-large', detail })
  if (figures.used >= 0n) return { figures, notes }
  return {
    figures: { ...figures, used: 0n },
    notes: [...notes, { table, id, code: 'figures-differ', detail }],
  }
}

/** Cuts an amount to ±`AMOUNT_MAX`. */
export function bounded(units: bigint): bigint {
  if (units > AMOUNT_MAX) return AMOUNT_MAX
  return units < -AMOUNT_MAX ? -AMOUNT_MAX : units
}
