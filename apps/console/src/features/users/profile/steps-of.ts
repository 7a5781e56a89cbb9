import type { LedgerEntry } from '@tollgate/contract/ledger-entry'

export const WIDTH = 800
export const HEIGHT = 96
const MARGIN = 2

export interface Steps {
  /** Data of an SVG path of `WIDTH` by `HEIGHT`. */
  readonly path: string
  readonly lowest: number
  readonly highest: number
}

/** A step line through the balances after each entry, oldest first; each entry is one step wide. */
export function stepsOf(entries: readonly Pick<LedgerEntry, 'balance_after'>[]): Steps {
  const balances = entries.map((entry) => entry.balance_after)
  const lowest = Math.min(...balances)
  const highest = Math.max(...balances)
  const stepPx = WIDTH / Math.max(1, balances.length)
  const y = (balance: number) => {
    const share = highest === lowest ? 0.5 : (highest - balance) / (highest - lowest)
    return Math.round((MARGIN + share * (HEIGHT - 2 * MARGIN)) * 10) / 10
  }
  const lines = balances.map((balance, index) => {
    const end = Math.round((index + 1) * stepPx * 10) / 10
    return index === 0 ? `M0 ${y(balance)}H${end}` : `V${y(balance)}H${end}`
  })
  return { path: lines.join(''), lowest, highest }
}
