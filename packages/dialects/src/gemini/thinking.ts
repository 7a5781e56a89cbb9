import type { Effort, ReasoningRequest } from '../canonical/conversation.ts'
import { rawFor } from '../canonical/raw.ts'
import { isRecord, type JsonObject } from '../json.ts'
import { effortForBudget, nearestEffort } from '../traits/efforts.ts'
import type { BudgetBounds, ModelTraits } from '../traits/model-traits.ts'

interface ThinkingRules {
  readonly traits: ModelTraits
  readonly outputTokensMax: number | undefined
}

/**
 * Writes a `thinkingConfig`: newer models take a level, older ones a budget, and the oldest neither. A
 * `thinkingConfig` that came from a Gemini caller is kept unchanged.
 * https://ai.google.dev/gemini-api/docs/thinking
 */
export function writeThinking(wish: ReasoningRequest, rules: ThinkingRules): JsonObject | undefined {
  const own = rawFor(wish.raw, 'gemini')
  if (isRecord(own)) return own
  const { traits, outputTokensMax } = rules
  const { thinkingBudget = DEFAULT_BUDGET } = traits
  if (thinkingBudget === false && traits.efforts === undefined) return undefined
  const isOff = wish.mode === 'off' || wish.effort === 'none'
  const includeThoughts = !isOff && wish.shows !== 'nothing'
  if (thinkingBudget === false) return { includeThoughts, thinkingLevel: levelOf(wish, traits.efforts ?? []) }
  const limits = { bounds: thinkingBudget, canBeOff: traits.thinkingOff !== false, outputTokensMax }
  return { includeThoughts, thinkingBudget: budgetOf(wish, limits) }
}

/** Models with levels always think; if thinking should be off, they get their lowest level. */
export function levelOf(
  { mode, effort, budgetTokens }: ReasoningRequest,
  taken: readonly Effort[],
): string | undefined {
  const wanted =
    mode === 'off'
      ? 'none'
      : (effort ?? (budgetTokens === undefined ? undefined : effortForBudget(budgetTokens)))
  return wanted && nearestEffort(wanted, taken)
}

/** Budget range for models without known limits; most models with a budget accept it. */
export const DEFAULT_BUDGET: BudgetBounds = { min: 0, max: 24_576 }

/** Budget of each effort, in percent of the largest budget. */
const shares: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 5,
  low: 20,
  medium: 50,
  high: 80,
  xhigh: 100,
  max: 100,
}

interface Limits {
  readonly bounds: BudgetBounds
  /** Whether thinking can be switched off. */
  readonly canBeOff: boolean
  readonly outputTokensMax: number | undefined
}

/** Returns -1 if the model should decide, and `undefined` if the caller set nothing. */
export function budgetOf(
  { mode, effort, budgetTokens }: ReasoningRequest,
  { bounds: { min, max }, canBeOff, outputTokensMax }: Limits,
): number | undefined {
  // Thinking tokens count as output tokens, so a share is computed from the output limit: otherwise nothing
  // would be left for the answer.
  const room = Math.min(max, outputTokensMax ?? max)
  if (mode === 'off' || effort === 'none') return canBeOff ? 0 : min
  const wanted =
    budgetTokens ?? (effort === undefined ? undefined : Math.floor((room * shares[effort]) / 100))
  if (wanted !== undefined) return Math.min(max, Math.max(min, wanted))
  return mode === undefined ? undefined : -1
}
