import { findThinkingRule, type ThinkingRule } from '@tollgate/catalogue/limits/thinking-rules'
import { joinRepairs } from '@tollgate/dialects/canonical/repairs'
import { isRecord, listAt, recordAt, recordsAt, textAt } from '@tollgate/dialects/json'
import type { Outgoing } from '../provider.ts'
import { omit, type Body } from '../quirks/body.ts'
import { describeTurn } from './turn-key.ts'

/**
 * Fits a chat completions request to what its model demands while it thinks: a forced tool ends thinking, and
 * turns with calls have reasoning. What a client did not send back is filled in and named.
 */
export function fitThinking(outgoing: Outgoing, kept: KeptReasoning = NOTHING_KEPT): Outgoing {
  const rule = outgoing.operation === 'chat' ? findThinkingRule(outgoing.model) : undefined
  if (rule === undefined || isThinkingOff(outgoing.body)) return outgoing
  if (rule.refusesForcedTools && isForced(outgoing.body)) return withoutThinking(outgoing)
  const unreasonedTurns = listTurns(outgoing.body, rule)
  if (unreasonedTurns.length === 0) return outgoing
  const body = withReasoning(outgoing.body, rule, kept)
  const isWhole = unreasonedTurns.every((turn) => kept.has(turn))
  const dropped = [...(outgoing.dropped ?? []), ...(isWhole ? [] : ['reasoning_content'])]
  const repairs = joinRepairs(outgoing.repairs, [
    ...(unreasonedTurns.some((turn) => kept.has(turn)) ? (['kept_reasoning'] as const) : []),
    ...(isWhole ? [] : (['filled_reasoning'] as const)),
  ])
  return { ...outgoing, body, dropped, unreasonedTurns, repairs }
}

/** Whether the vendor demands the reasoning of this answer back. */
export function hasThinkingRule({ operation, model }: Pick<Outgoing, 'operation' | 'model'>): boolean {
  return operation === 'chat' && findThinkingRule(model) !== undefined
}

/** The reasoning of earlier turns, by `describeTurn`. */
export type KeptReasoning = ReadonlyMap<string, string>

const NOTHING_KEPT: KeptReasoning = new Map()

function listTurns(body: Body, { reasoningFiller }: ThinkingRule): readonly string[] {
  return recordsAt(body, 'messages')
    .filter((message) => isMissing(message, reasoningFiller))
    .map(describeMessage)
}

function describeMessage(message: Body): string {
  const calls = recordsAt(message, 'tool_calls').map((call) => {
    const callee = recordAt(call, 'function') ?? {}
    return {
      id: textAt(call, 'id') ?? '',
      name: textAt(callee, 'name') ?? '',
      arguments: textAt(callee, 'arguments') ?? '',
    }
  })
  return describeTurn(calls)
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

function withReasoning(body: Body, { reasoningFiller }: ThinkingRule, kept: KeptReasoning): Body {
  const messages = listAt(body, 'messages').map((message) => {
    if (!isRecord(message) || !isMissing(message, reasoningFiller)) return message
    return { ...message, reasoning_content: kept.get(describeMessage(message)) ?? reasoningFiller }
  })
  return { ...body, messages }
}

function isMissing(
  { role, tool_calls: calls, reasoning_content: text, reasoning }: Body,
  filler: string,
): boolean {
  if (role !== 'assistant' || !Array.isArray(calls) || calls.length === 0) return false
  const reasoningText = text ?? reasoning
  return typeof reasoningText !== 'string' || (reasoningText === '' && filler !== '')
}
