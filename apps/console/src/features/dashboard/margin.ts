import { percent } from './percent.ts'
import type { Sums } from './series/series.ts'

export const UNKNOWN = '–'

type Costed = Pick<Sums, 'cost' | 'costed_quota'>

/** Of the calls whose channel says what its upstream asks. */
export function costText(sums: Costed, money: (units: number) => string): string {
  return isKnown(sums) ? money(sums.cost) : UNKNOWN
}

/** What is left of what those calls were charged. */
export function marginText(sums: Costed, money: (units: number) => string): string {
  return isKnown(sums) ? money(sums.costed_quota - sums.cost) : UNKNOWN
}

/** The same as a share of it; nothing can be left of what was given away. */
export function marginShare({ cost, costed_quota: charged }: Costed): string {
  return charged > 0 ? percent((charged - cost) / charged) : UNKNOWN
}

export function isKnown({ cost, costed_quota: charged }: Costed): boolean {
  return cost !== 0 || charged !== 0
}
