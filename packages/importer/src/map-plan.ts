import { seconds, text, units, whole } from './cell.ts'
import { AMOUNT_MAX } from './figures.ts'
import type { NoteCode } from './note.ts'
import type { SourceRow } from './source.ts'

/** A plan of a user, as far as it is in force. */
export interface MappedPlan {
  readonly id: number
  readonly userId: number
  /** What is left of the current period; zero when nothing is, or when it has no limit. */
  readonly rest: bigint
  /** `undefined`: the plan is over, and nobody loses anything. */
  readonly state: Extract<NoteCode, 'plan-ended' | 'plan-unlimited'> | undefined
}

export function mapPlan(row: SourceRow, { nowMs }: { readonly nowMs: number }): MappedPlan {
  const endMs = seconds(row, 'end_time') * 1000
  const isInForce = text(row, 'status').trim() === 'active' && endMs > nowMs
  const total = units(row, 'amount_total')
  const remainingUnits = total - units(row, 'amount_used')
  const rest =
    isInForce && total > 0n && remainingUnits > 0n && remainingUnits <= AMOUNT_MAX ? remainingUnits : 0n
  const ended = rest > 0n ? ('plan-ended' as const) : undefined
  return {
    id: whole(row, 'id'),
    userId: whole(row, 'user_id'),
    rest,
    state: isInForce && total === 0n ? 'plan-unlimited' : ended,
  }
}
