import type { OpenedCall } from './fake-book.ts'
import type { ReportedUsage } from './open-ai-answers.ts'

/** What the upstream says, whole or streamed. */

/** One token of its text. */
export const WORD = 'toll '

/** A call of the first function, unless the conversation already holds a result. */
export function toolCallsOf(body: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const { tools, messages } = body
  const hasResult = JSON.stringify(messages ?? []).includes('"role":"tool"')
  if (!Array.isArray(tools) || hasResult) return undefined
  const name: unknown = tools[0]?.function?.name
  return [
    {
      id: 'call_fake1',
      type: 'function',
      function: { name, arguments: '{"city":"Basel","unit":"celsius"}' },
    },
  ]
}

/** What the upstream says it used; `undefined` when it says nothing. */
export function reportedUsage(call: OpenedCall): ReportedUsage | undefined {
  const { entry } = call
  if (entry.fault === 'usage-missing') return undefined
  if (entry.fault === 'usage-insane') return { promptTokens: -5, completionTokens: 900_000_000_000 }
  return { promptTokens: entry.promptTokens, completionTokens: outputTokensOf(call) }
}

/** Content tokens of a complete answer, over all its choices. */
export function outputTokensOf({ entry, body, tokens, choices }: OpenedCall): number {
  if (entry.operation !== 'chat/completions' && entry.operation !== 'completions') return 0
  return choices * (toolCallsOf(body)?.length ?? 0) * TOKENS_OF_A_TOOL_CALL || choices * tokens
}

/** It streams in two frames. */
const TOKENS_OF_A_TOOL_CALL = 2
