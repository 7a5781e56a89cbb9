import type { Note } from './note.ts'

/** What an account is opened with. */
export interface Figures {
  /** What may be spent; negative is owed. */
  readonly remaining: bigint
  readonly used: bigint
}

/** The largest amount that a console can show exactly, and far from where sums of many would not fit any more. */
export const AMOUNT_MAX = 2n ** 53n

interface Claimed extends Figures {
  readonly table: string
  readonly id: number
}

/** Use below zero is a fault of the source's refunds; what can be spent is what its owner was promised. */
export function soundFigures({ table, id, ...claimed }: Claimed): {
  figures: Figures
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

/** Within what counts as an amount here. */
export function bounded(units: bigint): bigint {
  if (units > AMOUNT_MAX) return AMOUNT_MAX
  return units < -AMOUNT_MAX ? -AMOUNT_MAX : units
}
