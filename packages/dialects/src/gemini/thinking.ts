import type { Effort, ReasoningWish } from '../canonical/conversation.ts'

/** From the third generation on, models sign their calls and are told a level instead of a budget. */
export function hasLevels(model: string): boolean {
  return /gemini-(?:[3-9]|\d\d)/.test(model)
}

interface Bounds {
  readonly min: number
  readonly max: number
}

/** https://ai.google.dev/gemini-api/docs/thinking#set-budget */
const bounds: readonly (readonly [RegExp, Bounds])[] = [
  [/2\.5-flash-lite/, { min: 512, max: 24_576 }],
  [/2\.5-pro/, { min: 128, max: 32_768 }],
]
const OTHERS: Bounds = { min: 0, max: 24_576 }

/** Shares of the largest budget, in percent. */
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
  readonly model: string
  readonly outputTokensMax: number | undefined
}

/** -1: the model decides. `undefined`: not told. */
export function budgetOf(
  { mode, effort, budgetTokens }: ReasoningWish,
  { model, outputTokensMax }: Limits,
): number | undefined {
  const { min, max } = bounds.find(([pattern]) => pattern.test(model))?.[1] ?? OTHERS
  // Thoughts count as output: with all of it for them there would be no answer.
  const room = Math.min(max, outputTokensMax ?? max)
  if (mode === 'off' || effort === 'none') return model.includes('2.5-pro') ? min : 0
  const wanted =
    budgetTokens ?? (effort === undefined ? undefined : Math.floor((room * shares[effort]) / 100))
  if (wanted !== undefined) return Math.min(max, Math.max(min, wanted))
  return mode === undefined ? undefined : -1
}
