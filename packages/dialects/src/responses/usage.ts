import { ownValue } from '@tollgate/kit/own-value'
import type { UsageReader } from '../dialect.ts'
import { recordsAt, textAt, type JsonObject } from '../json.ts'
import { readOpenAiUsage } from '../openai-usage.ts'
import { inputTokens, outputTokens, type Usage } from '../usage.ts'
import { containersOf } from './containers.ts'

/** Items that are charged per call, with the name under which they are priced. */
const charged: Readonly<Record<string, string>> = {
  web_search_call: 'web_search',
  file_search_call: 'file_search',
  image_generation_call: 'image_generation',
}

/** Reads the `usage` of a response, and counts the calls of built-in tools in its output. */
export const readResponsesUsage: UsageReader = (answer) => {
  const usage = readOpenAiUsage(answer)
  const toolCalls = toolCallsOf(answer)
  return usage === undefined || toolCalls === undefined ? usage : { ...usage, toolCalls }
}

function toolCallsOf(answer: JsonObject): Record<string, number> | undefined {
  const counts: Record<string, number> = {}
  for (const item of recordsAt(answer, 'output')) {
    const type = textAt(item, 'type') ?? ''
    const name = ownValue(charged, type)
    if (name !== undefined && item['status'] !== 'failed') counts[name] = (counts[name] ?? 0) + 1
  }
  const containers = containersUsed(answer)
  if (containers > 0) counts['code_interpreter'] = containers
  return Object.keys(counts).length === 0 ? undefined : counts
}

/**
 * A code interpreter container is charged once, however often it is used; the response repeats the requested
 * size.
 */
function containersUsed(answer: JsonObject): number {
  const runs = recordsAt(answer, 'output').filter((item) => item['type'] === 'code_interpreter_call')
  return new Set(runs.map((item) => item['container_id'])).size * Math.max(1, containersOf(answer))
}

export function writeResponsesUsage(usage: Usage): JsonObject {
  const input = inputTokens(usage)
  const output = outputTokens(usage)
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: input + output,
  }
}
