import { readMemoryWeight } from '@tollgate/catalogue/fees/request-fees'
import { ownValue } from '@tollgate/kit/own-value'
import type { UsageReader } from '../dialect.ts'
import { recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { readOpenAiUsage } from '../openai-usage.ts'
import { toolsOf } from '../requested-tools.ts'
import { inputTokens, outputTokens, type Usage } from '../usage.ts'

/** Items that are evidence of a fee, each with its name. */
const evidenceByItem: Readonly<Record<string, string>> = {
  web_search_call: 'web_search',
  file_search_call: 'file_search',
  collections_search_call: 'file_search',
  image_generation_call: 'image_generation',
  x_search_call: 'x_search',
  code_interpreter_call: 'code_interpreter_runs',
}

/** Reads the `usage` of a response, and counts the uses of paid tools in its output. */
export const readResponsesUsage: UsageReader = (answer) => {
  const usage = readOpenAiUsage(answer)
  const toolCalls = { ...usage?.toolCalls, ...countPaidItems(answer) }
  return usage === undefined || Object.keys(toolCalls).length === 0 ? usage : { ...usage, toolCalls }
}

/** Uses that failed are not counted. */
function countPaidItems(answer: JsonObject): Record<string, number> {
  const counts: Record<string, number> = {}
  const items = recordsAt(answer, 'output').filter((item) => item['status'] !== 'failed')
  for (const item of items) {
    const name = ownValue(evidenceByItem, textAt(item, 'type') ?? '') ?? searchOfX(item)
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1
  }
  for (const [tool, evidence] of CONTAINER_TOOLS) {
    const containers = new Set(items.filter((item) => item['type'] === `${tool}_call`).map(readContainer))
      .size
    if (containers === 0 || isRunByCaller(answer, tool)) continue
    counts[evidence] = containers
    const weight = weighContainers(answer, tool)
    if (weight > 1) counts[`${evidence}_memory`] = weight
  }
  return counts
}

/** A container is charged once, however often it is used. */
const CONTAINER_TOOLS = [
  ['code_interpreter', 'code_interpreter'],
  ['shell', 'hosted_shell'],
] as const

function readContainer(item: JsonObject): unknown {
  return item['container_id'] ?? recordAt(item, 'environment')?.['container_id']
}

/** The calls of a shell that the caller runs look the same; the response repeats the requested tools. */
function isRunByCaller(answer: JsonObject, type: string): boolean {
  const tools = toolsOf(answer).filter((tool) => tool['type'] === type)
  return tools.some((tool) => recordAt(tool, 'environment')?.['type'] === 'local')
}

function weighContainers(answer: JsonObject, type: string): number {
  const tools = toolsOf(answer).filter((tool) => tool['type'] === type)
  return tools.reduce((most, tool) => Math.max(most, readMemoryWeight(tool)), 1)
}

/** xAI reports its searches of X as calls of tools with these names. */
function searchOfX(item: JsonObject): string | undefined {
  const isSearch = item['type'] === 'custom_tool_call' && /^x_\w+$/.test(textAt(item, 'name') ?? '')
  return isSearch ? 'x_search' : undefined
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
