import { percent } from './percent.ts'
import type { Sums } from './series/series.ts'

export const UNKNOWN = '–'

type Costed = Pick<Sums, 'cost' | 'costed_quota'>

/** The cost of the calls whose channel has a cost ratio. */
export function costText(sums: Costed, money: (units: number) => string): string {
  return isKnown(sums) ? money(sums.cost) : UNKNOWN
}

/** The margin: what those calls were charged, minus their cost. */
export function marginText(sums: Costed, money: (units: number) => string): string {
  return isKnown(sums) ? money(sums.costed_quota - sums.cost) : UNKNOWN
}

/** The margin as a share of the charges; unknown if nothing was charged. */
export function marginShare({ cost, costed_quota: charged }: Costed): string {
  return charged > 0 ? percent((charged - cost) / charged) : UNKNOWN
}

export function isKnown({ cost, costed_quota: charged }: Costed): boolean {
  return cost !== 0 || charged !== 0
}
