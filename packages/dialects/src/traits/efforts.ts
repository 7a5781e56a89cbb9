import type { Effort } from '../canonical/conversation.ts'

/** From the lowest to the highest. */
export const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

export function effortNamed(word: unknown): Effort | undefined {
  return efforts.find((effort) => effort === word)
}

/** The highest effort that a model takes and that is not above what was asked for, or else its lowest. */
export function nearestEffort(wanted: Effort, taken: readonly Effort[]): Effort | undefined {
  const most = efforts.indexOf(wanted)
  return taken.findLast((effort) => efforts.indexOf(effort) <= most) ?? taken[0]
}

/** Budgets lie between the words; up to each of these the word fits. */
const budgets: readonly (readonly [number, Effort])[] = [
  [2000, 'low'],
  [8000, 'medium'],
]

export function effortForBudget(budgetTokens: number): Effort {
  return budgets.find(([most]) => budgetTokens <= most)?.[1] ?? 'high'
}
