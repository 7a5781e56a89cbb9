import type { FeeRequest, FeeRow, FeeVendor, ListPrice } from './fee-row.ts'

type FeeParts = Omit<
  FeeRow,
  'name' | 'vendors' | 'reportedAt' | 'unit' | 'most' | 'expected' | 'isFailedCharged'
> &
  Partial<Pick<FeeRow, 'reportedAt' | 'unit' | 'most' | 'expected' | 'isFailedCharged'>>

/** A row with what most fees have: one call, at most ten of them, failed ones free. */
export function defineFee(vendors: FeeVendor | readonly FeeVendor[], name: string, parts: FeeParts): FeeRow {
  return {
    reportedAt: [],
    unit: 'call',
    most: 10,
    expected: 1,
    isFailedCharged: false,
    ...parts,
    name,
    vendors: typeof vendors === 'string' ? [vendors] : vendors,
  }
}

export function defineDollars(
  perThousand: string,
  printed: string,
  byModel?: Readonly<Record<string, string>>,
): ListPrice {
  return { perThousand, currency: 'USD', printed, ...(byModel !== undefined && { byModel }) }
}

export function matchTools(...names: readonly string[]): readonly FeeRequest[] {
  return names.map((name) => ({ type: 'tool', name }))
}

export function matchToolMembers(...names: readonly string[]): readonly FeeRequest[] {
  return names.map((name) => ({ type: 'tool-member', name }))
}
