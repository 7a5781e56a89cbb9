import type { OpenedCall } from './call-records.ts'
import type { ReportedUsage } from './open-ai-answers.ts'

/** The scripted contents of the upstream's responses, streamed or not. */

/** One token of the response text. */
export const WORD = 'toll '

/** Returns a call of the first tool, unless the conversation already contains a tool result. */
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

/** The usage that the upstream reports; `undefined` when it reports none. */
export function reportedUsage(call: OpenedCall): ReportedUsage | undefined {
  const { entry } = call
  if (entry.fault === 'usage-missing') return undefined
  if (entry.fault === 'usage-insane') return { promptTokens: -5, completionTokens: 900_000_000_000 }
  return { promptTokens: entry.promptTokens, completionTokens: outputTokensOf(call) }
}

/** Content tokens of a complete response, over all its choices. */
export function outputTokensOf({ entry, body, tokens, choices }: OpenedCall): number {
  if (entry.operation !== 'chat/completions' && entry.operation !== 'completions') return 0
  return choices * (toolCallsOf(body)?.length ?? 0) * TOKENS_OF_A_TOOL_CALL || choices * tokens
}

/** A tool call is streamed in two frames. */
const TOKENS_OF_A_TOOL_CALL = 2
