import { findThinkingRule, type ThinkingRule } from '@tollgate/catalogue/limits/thinking-rules'
import { isRecord, recordAt } from '@tollgate/dialects/json'
import type { Outgoing } from '../provider.ts'
import { omit, type Body } from '../quirks/body.ts'

/**
 * Fits a chat completions request to what its model demands while it thinks: a forced tool ends thinking, and
 * turns with calls have reasoning. What a client did not send back is filled in and named.
 */
export function fitThinking(outgoing: Outgoing): Outgoing {
  const rule = outgoing.operation === 'chat' ? findThinkingRule(outgoing.model) : undefined
  if (rule === undefined || isThinkingOff(outgoing.body)) return outgoing
  if (rule.refusesForcedTools && isForced(outgoing.body)) return withoutThinking(outgoing)
  const body = withReasoning(outgoing.body, rule)
  if (body === outgoing.body) return outgoing
  return { ...outgoing, body, dropped: [...(outgoing.dropped ?? []), 'reasoning_content'] }
}

function isThinkingOff(body: Body): boolean {
  return (
    recordAt(body, 'thinking')?.['type'] === 'disabled' ||
    body['enable_thinking'] === false ||
    body['reasoning_effort'] === 'none'
  )
}

function isForced({ tool_choice: choice }: Body): boolean {
  return choice === 'required' || isRecord(choice)
}

/** The tool is a demand, how much the model thinks is a wish. */
function withoutThinking(outgoing: Outgoing): Outgoing {
  const hasWish = Object.hasOwn(outgoing.body, 'reasoning_effort') || Object.hasOwn(outgoing.body, 'thinking')
  const body = { ...omit(outgoing.body, 'reasoning_effort'), thinking: { type: 'disabled' } }
  return {
    ...outgoing,
    body,
    dropped: [...(outgoing.dropped ?? []), ...(hasWish ? ['reasoning_effort'] : [])],
  }
}

function withReasoning(body: Body, { reasoningFiller }: ThinkingRule): Body {
  const messages: unknown = body['messages']
  if (!Array.isArray(messages)) return body
  const filled = messages.map((message: unknown) =>
    isRecord(message) && isMissing(message, reasoningFiller)
      ? { ...message, reasoning_content: reasoningFiller }
      : message,
  )
  return filled.some((message, at) => message !== messages[at]) ? { ...body, messages: filled } : body
}

function isMissing(
  { role, tool_calls: calls, reasoning_content: text, reasoning }: Body,
  filler: string,
): boolean {
  if (role !== 'assistant' || !Array.isArray(calls) || calls.length === 0) return false
  const reasoningText = text ?? reasoning
  return typeof reasoningText !== 'string' || (reasoningText === '' && filler !== '')
}
