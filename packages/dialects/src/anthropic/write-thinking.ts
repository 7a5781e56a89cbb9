import type { Conversation, Effort, ReasoningWish } from '../canonical/conversation.ts'
import type { JsonObject } from '../json.ts'
import { canThink, isAdaptive } from './models.ts'

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

/** The vendor takes no smaller one, and none that is not below the limit on output. */
const BUDGET_MIN = 1024
const BUDGET_USUAL = 4096

/**
 * How much to think, in the vendor's two ways: an effort for the newer models, a budget for the others. It is left out
 * where the vendor would refuse it: when a tool must be called, and when an earlier turn called tools and its signed
 * thoughts did not come back.
 */
export function writeThinking(conversation: Conversation, maxTokens: number): Thinking {
  const { reasoning, model } = conversation
  if (reasoning === undefined || !canThink(model)) return {}
  const effort = reasoning.effort === 'none' ? undefined : reasoning.effort
  if (reasoning.mode === 'off' || reasoning.effort === 'none') return { thinking: { type: 'disabled' } }
  if (!mayThink(conversation)) return {}
  if (isAdaptive(model) && reasoning.budgetTokens === undefined) {
    const display = displayOf(reasoning)
    return { thinking: { type: 'adaptive', ...display }, ...(effort && { effort: effortWord(effort) }) }
  }
  const wanted = reasoning.budgetTokens ?? budgets[effort ?? 'high'] ?? BUDGET_USUAL
  const budget = Math.min(Math.max(wanted, BUDGET_MIN), maxTokens - 1)
  return budget < BUDGET_MIN ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
}

function displayOf({ shows }: ReasoningWish): JsonObject {
  return { display: shows === 'nothing' ? 'omitted' : 'summarized' }
}

function effortWord(effort: Effort): string {
  return effort === 'minimal' ? 'low' : effort
}

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
