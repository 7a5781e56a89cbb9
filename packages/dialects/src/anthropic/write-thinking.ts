import type { RequestContext } from '../canonical/codec.ts'
import type { Conversation, Effort, ReasoningRequest } from '../canonical/conversation.ts'
import type { JsonObject } from '../json.ts'
import { effortForBudget, nearestEffort } from '../traits/efforts.ts'
import type { ModelTraits } from '../traits/model-traits.ts'

export interface Thinking {
  readonly thinking?: JsonObject
  readonly effort?: string
}

const budgets: Partial<Readonly<Record<Effort, number>>> = {
  minimal: 1024,
  low: 1280,
  medium: 2048,
  high: 4096,
  xhigh: 16_384,
  max: 32_768,
}

/** Minimum budget for models without known limits; it is the smallest that Anthropic accepts. */
const BUDGET_MIN = 1024
const BUDGET_USUAL = 4096

interface ThinkingRules {
  readonly traits: ModelTraits
  readonly maxTokens: number
  readonly dropped: RequestContext['dropped']
}

/**
 * Writes how much the model should think, in Anthropic's two forms: an effort for newer models, a token
 * budget for the others. Thinking is left out where Anthropic would reject it: when a tool call is forced,
 * and when an earlier turn called tools and came back without its signed thinking blocks.
 */
export function writeThinking(conversation: Conversation, rules: ThinkingRules): Thinking {
  const { reasoning } = conversation
  if (reasoning === undefined) return {}
  const written = thinkingFor(conversation, reasoning, rules)
  const isOff = reasoning.mode === 'off' || reasoning.effort === 'none'
  const isLeftOut = Object.keys(written).length === 0
  if (isLeftOut && (!isOff || rules.traits.thinkingOff === false)) rules.dropped?.add('reasoning_effort')
  return written
}

function thinkingFor(
  conversation: Conversation,
  reasoning: ReasoningRequest,
  { traits, maxTokens }: ThinkingRules,
): Thinking {
  const { adaptiveThinking, thinkingBudget = { min: BUDGET_MIN, max: Infinity } } = traits
  if (adaptiveThinking === false && thinkingBudget === false) return {}
  if (reasoning.mode === 'off' || reasoning.effort === 'none')
    return traits.thinkingOff === false ? {} : { thinking: { type: 'disabled' } }
  if (!mayThink(conversation)) return {}
  const { budgetTokens, effort } = reasoning
  const isAdaptive = adaptiveThinking !== false && (budgetTokens === undefined || thinkingBudget === false)
  if (isAdaptive || thinkingBudget === false) return adaptive(reasoning, traits)
  const wanted = budgetTokens ?? budgets[effort ?? 'high'] ?? BUDGET_USUAL
  const { min, max } = thinkingBudget
  // Anthropic requires `budget_tokens` to be less than `max_tokens`.
  const budget = Math.min(Math.max(wanted, min), max, maxTokens - 1)
  return budget < min ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
}

function adaptive({ shows, effort, budgetTokens }: ReasoningRequest, { efforts }: ModelTraits): Thinking {
  const display = shows === 'nothing' ? 'omitted' : 'summarized'
  const wanted = effort ?? (budgetTokens === undefined ? undefined : effortForBudget(budgetTokens))
  const taken = wanted && nearestEffort(wanted, efforts ?? EFFORTS)
  return { thinking: { type: 'adaptive', display }, effort: taken }
}

/** Efforts of models without known limits. */
const EFFORTS: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max']

function mayThink({ messages, toolChoice, tools }: Conversation): boolean {
  const isForced = tools.length > 0 && (toolChoice?.type === 'required' || toolChoice?.type === 'tool')
  const called = messages.findLast(
    ({ role, parts }) => role === 'assistant' && parts.some((part) => part.type === 'tool-call'),
  )
  const isSigned =
    called === undefined ||
    called.parts.some(
      (part) =>
        (part.type === 'reasoning' && part.signature?.dialect === 'anthropic') ||
        (part.type === 'redacted-reasoning' && part.data.dialect === 'anthropic'),
    )
  return !isForced && isSigned
}
