import type { Effort, ReasoningWish } from '../../canonical/conversation.ts'
import { numberOf } from '../../canonical/members.ts'
import { told } from '../../canonical/told.ts'
import { recordAt, textAt, type JsonObject } from '../../json.ts'

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

export function effortOf(word: string | undefined): Effort | undefined {
  return efforts.find((effort) => effort === word)
}

/**
 * How much to think, as callers of this dialect say it: `reasoning_effort`; OpenRouter's `reasoning`; and the `thinking`
 * and `enable_thinking` that vendors added.
 */
export function readWish(body: JsonObject): ReasoningWish | undefined {
  const word = textAt(body, 'reasoning_effort')
  const reasoning = recordAt(body, 'reasoning')
  const thinking = recordAt(body, 'thinking')
  const wish = {
    ...(reasoning && readRouterWish(reasoning)),
    ...(thinking && readThinking(thinking)),
    ...(typeof body['enable_thinking'] === 'boolean' && { mode: modeOf(body['enable_thinking']) }),
    ...told({ effort: effortOf(word) }),
  }
  if (word === undefined && Object.keys(wish).length === 0) return undefined
  return { ...wish, ...(word !== undefined && { raw: { dialect: 'openai', value: word } }) }
}

function readRouterWish(reasoning: JsonObject): ReasoningWish {
  const isEnabled = reasoning['enabled']
  return told({
    mode: typeof isEnabled === 'boolean' ? modeOf(isEnabled) : undefined,
    effort: effortOf(textAt(reasoning, 'effort')),
    budgetTokens: numberOf(reasoning, 'max_tokens'),
    shows: reasoning['exclude'] === true ? ('nothing' as const) : undefined,
  })
}

function readThinking(thinking: JsonObject): ReasoningWish {
  const type = textAt(thinking, 'type')
  const mode = type === 'disabled' ? 'off' : type === 'adaptive' || type === 'auto' ? 'adaptive' : 'on'
  return { mode, ...told({ budgetTokens: numberOf(thinking, 'budget_tokens') }) }
}

function modeOf(isEnabled: boolean): 'on' | 'off' {
  return isEnabled ? 'on' : 'off'
}

/** Models that know the word. Others refuse a member they do not know. */
const KNOWS_EFFORT =
  /^(?:[a-z-]+\/)?(?:o\d|gpt-5|gpt-oss|codex|grok-3-mini|gemini-(?:2\.5|[3-9])|magistral|deepseek-v4)/

/** Budgets stand between the words; from these on the next word fits. */
const budgets: readonly (readonly [number, Effort])[] = [
  [2000, 'low'],
  [8000, 'medium'],
]

/** `reasoning_effort` for an upstream; nothing when the model would refuse it and the caller did not insist. */
export function writeWish(wish: ReasoningWish | undefined, model: string): JsonObject {
  if (wish === undefined) return {}
  const { effort, mode, budgetTokens, raw } = wish
  if (effort !== undefined) return { reasoning_effort: effort === 'max' ? 'high' : effort }
  if (raw?.dialect === 'openai' && typeof raw.value === 'string') return { reasoning_effort: raw.value }
  if (!KNOWS_EFFORT.test(model) || mode === 'off') return {}
  if (budgetTokens === undefined) return {}
  return { reasoning_effort: budgets.find(([most]) => budgetTokens <= most)?.[1] ?? 'high' }
}
