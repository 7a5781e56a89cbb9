import type { FeeRow } from './fee-row.ts'
import { listFeeVendors } from './fee-vendors.ts'
import { anthropicFees } from './rows/anthropic-fees.ts'
import { chineseFees } from './rows/chinese-fees.ts'
import { googleFees } from './rows/google-fees.ts'
import { openAiFees } from './rows/openai-fees.ts'
import { openRouterFees, perplexityFees } from './rows/router-fees.ts'
import { xaiFees } from './rows/xai-fees.ts'

/** Every known fee. What two rows of a vendor could explain is counted by the first one. */
export const feeRows: readonly FeeRow[] = [
  ...openAiFees,
  ...anthropicFees,
  ...googleFees,
  ...xaiFees,
  ...openRouterFees,
  ...perplexityFees,
  ...chineseFees,
]

const rowsByProvider = new Map<string, readonly FeeRow[]>()

/** The fees that a provider may take, always the same list for the same provider. */
export function listFeeRows(provider: string): readonly FeeRow[] {
  const cachedRows = rowsByProvider.get(provider)
  if (cachedRows !== undefined) return cachedRows
  const vendors = listFeeVendors(provider)
  const rows = [
    ...new Set(vendors.flatMap((vendor) => feeRows.filter((row) => row.vendors.includes(vendor)))),
  ]
  rowsByProvider.set(provider, rows)
  return rows
}

const rowsByName: ReadonlyMap<string, FeeRow> = new Map(feeRows.map((row) => [row.name, row]))

export function findFeeRow(name: string): FeeRow | undefined {
  return rowsByName.get(name)
}
