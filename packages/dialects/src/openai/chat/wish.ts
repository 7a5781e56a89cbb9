import type { ReasoningWish } from '../../canonical/conversation.ts'
import { numberOf } from '../../canonical/members.ts'
import { told } from '../../canonical/told.ts'
import { recordAt, textAt, type JsonObject } from '../../json.ts'
import { effortForBudget, effortNamed, nearestEffort } from '../../traits/efforts.ts'
import type { ModelTraits } from '../../traits/model-traits.ts'

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
    ...told({ effort: effortNamed(word) }),
  }
  if (word === undefined && Object.keys(wish).length === 0) return undefined
  return { ...wish, ...(word !== undefined && { raw: { dialect: 'openai', value: word } }) }
}

function readRouterWish(reasoning: JsonObject): ReasoningWish {
  const isEnabled = reasoning['enabled']
  return told({
    mode: typeof isEnabled === 'boolean' ? modeOf(isEnabled) : undefined,
    effort: effortNamed(textAt(reasoning, 'effort')),
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

/** `reasoning_effort` for an upstream; nothing where the model would refuse it, or where nobody knows and no word was said. */
export function writeWish(wish: ReasoningWish | undefined, traits: ModelTraits): JsonObject {
  const word = wish && wordFor(wish, traits)
  return word === undefined ? {} : { reasoning_effort: word }
}

function wordFor(
  { effort, mode, budgetTokens, raw }: ReasoningWish,
  traits: ModelTraits,
): string | undefined {
  const { efforts: taken, thinkingOff } = traits
  if (taken === undefined) {
    if (effort !== undefined) return effort === 'max' ? 'high' : effort
    return raw?.dialect === 'openai' && typeof raw.value === 'string' ? raw.value : undefined
  }
  if (mode === 'off' || effort === 'none') {
    // Where it is no effort that switches thinking off, saying nothing is nearer to it than the lowest of them.
    return taken.includes('none') || thinkingOff === false ? nearestEffort('none', taken) : undefined
  }
  const wanted = effort ?? (budgetTokens === undefined ? undefined : effortForBudget(budgetTokens))
  if (wanted !== undefined || taken.length === 0) return wanted && nearestEffort(wanted, taken)
  return raw?.dialect === 'openai' && typeof raw.value === 'string' ? raw.value : undefined
}
