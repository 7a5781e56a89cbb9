import type { Effort } from '../canonical/conversation.ts'

/** Sorted from lowest to highest. */
export const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

export function effortNamed(word: unknown): Effort | undefined {
  return efforts.find((effort) => effort === word)
}

/**
 * Returns the highest effort accepted by a model that does not exceed the requested one; if there is none,
 * the model's lowest.
 */
export function nearestEffort(wanted: Effort, taken: readonly Effort[]): Effort | undefined {
  const most = efforts.indexOf(wanted)
  return taken.findLast((effort) => efforts.indexOf(effort) <= most) ?? taken[0]
}

/** Token budgets that correspond to efforts; each is an upper bound. */
const budgets: readonly (readonly [number, Effort])[] = [
  [2000, 'low'],
  [8000, 'medium'],
]

export function effortForBudget(budgetTokens: number): Effort {
  return budgets.find(([most]) => budgetTokens <= most)?.[1] ?? 'high'
}
