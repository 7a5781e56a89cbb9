import type { Alarm } from '../core/command.ts'
import type { MendedAllotment } from './allotment-check.ts'

/** More accounts are only counted. */
const NAMED_MAX = 5

export function mendedAlarm(mended: readonly MendedAllotment[]): Alarm {
  const named = mended.slice(0, NAMED_MAX).map(describe)
  const rest = mended.length > NAMED_MAX ? ` and ${mended.length - NAMED_MAX} more` : ''
  return {
    type: 'allotment_mended',
    detail: `this process counted other quota than was set aside for it, which is mended: ${named.join('; ')}${rest}`,
  }
}

function describe({ account, amount, budgetAmount }: MendedAllotment): string {
  const budget = budgetAmount === 0n ? '' : `, ${budgetAmount} of its budget`
  return `account ${account} by ${amount} units${budget}`
}
