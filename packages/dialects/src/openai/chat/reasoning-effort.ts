import type { ReasoningRequest } from '../../canonical/conversation.ts'
import { numberOf } from '../../canonical/members.ts'
import { omitUndefined } from '../../canonical/omit-undefined.ts'
import { recordAt, textAt, type JsonObject } from '../../json.ts'
import { effortForBudget, effortNamed, nearestEffort } from '../../traits/efforts.ts'
import type { ModelTraits } from '../../traits/model-traits.ts'

/**
 * Reads how much to think, in the forms that callers of this dialect use: `reasoning_effort`; OpenRouter's
 * `reasoning`; and the `thinking` and `enable_thinking` members of other vendors.
 */
export function readReasoningRequest(body: JsonObject): ReasoningRequest | undefined {
  const word = textAt(body, 'reasoning_effort')
  const reasoning = recordAt(body, 'reasoning')
  const thinking = recordAt(body, 'thinking')
  const wish = {
    ...(reasoning && readRouterWish(reasoning)),
    ...(thinking && readThinking(thinking)),
    ...(typeof body['enable_thinking'] === 'boolean' && { mode: modeOf(body['enable_thinking']) }),
    ...omitUndefined({ effort: effortNamed(word) }),
  }
  if (word === undefined && Object.keys(wish).length === 0) return undefined
  return { ...wish, ...(word !== undefined && { raw: { dialect: 'openai', value: word } }) }
}

function readRouterWish(reasoning: JsonObject): ReasoningRequest {
  const isEnabled = reasoning['enabled']
  return omitUndefined({
    mode: typeof isEnabled === 'boolean' ? modeOf(isEnabled) : undefined,
    effort: effortNamed(textAt(reasoning, 'effort')),
    budgetTokens: numberOf(reasoning, 'max_tokens'),
    shows: reasoning['exclude'] === true ? ('nothing' as const) : undefined,
  })
}

function readThinking(thinking: JsonObject): ReasoningRequest {
  const type = textAt(thinking, 'type')
  const mode = type === 'disabled' ? 'off' : type === 'adaptive' || type === 'auto' ? 'adaptive' : 'on'
  return { mode, ...omitUndefined({ budgetTokens: numberOf(thinking, 'budget_tokens') }) }
}

function modeOf(isEnabled: boolean): 'on' | 'off' {
  return isEnabled ? 'on' : 'off'
}

/**
 * Writes `reasoning_effort` for an upstream. Leaves it out if the model would reject it, or if the model is
 * unknown and the caller set no effort.
 */
export function writeReasoningEffort(wish: ReasoningRequest | undefined, traits: ModelTraits): JsonObject {
  const word = wish && wordFor(wish, traits)
  return word === undefined ? {} : { reasoning_effort: word }
}

function wordFor(
  { effort, mode, budgetTokens, raw }: ReasoningRequest,
  traits: ModelTraits,
): string | undefined {
  const { efforts: taken, thinkingOff } = traits
  if (taken === undefined) {
    if (effort !== undefined) return effort === 'max' ? 'high' : effort
    return raw?.dialect === 'openai' && typeof raw.value === 'string' ? raw.value : undefined
  }
  if (mode === 'off' || effort === 'none') {
    // If thinking cannot be switched off by an effort, omitting the parameter is closer to "off" than the
    // lowest effort.
    return taken.includes('none') || thinkingOff === false ? nearestEffort('none', taken) : undefined
  }
  const wanted = effort ?? (budgetTokens === undefined ? undefined : effortForBudget(budgetTokens))
  if (wanted !== undefined || taken.length === 0) return wanted && nearestEffort(wanted, taken)
  return raw?.dialect === 'openai' && typeof raw.value === 'string' ? raw.value : undefined
}
