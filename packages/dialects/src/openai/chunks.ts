import type { JsonObject } from '../json.ts'
import { searchCount } from '../canonical/searches.ts'
import { inputTokens, outputTokens, type Usage } from '../usage.ts'

/** Members that all chunks of one response share. */
export interface ChunkHead {
  readonly id: string
  readonly object: string
  readonly created: number
  readonly model: string
}

export const DONE = Buffer.from('data: [DONE]\n\n')

export function frame(payload: JsonObject): Buffer {
  return Buffer.from(`data: ${JSON.stringify(payload)}\n\n`)
}

export function usageChunk(head: ChunkHead, usage: JsonObject): JsonObject {
  return { ...head, choices: [], usage }
}

/** Writes an empty delta with a finish reason; a legacy completion ends with an empty text instead. */
export function finishChunk(head: ChunkHead, index: number, reason: string): JsonObject {
  const isLegacy = head.object === 'text_completion'
  const body = isLegacy ? { text: '' } : { delta: {} }
  return { ...head, choices: [{ index, ...body, logprobs: null, finish_reason: reason }] }
}

/**
 * Writes a usage object from usage buckets or from local counts. OpenAI has no member for searches; this one is
 * what routers in front of several vendors write, and what `readOpenAiUsage` reads.
 */
export function usageObject(usage: Usage | { readonly input: number; readonly output: number }): JsonObject {
  if ('input' in usage) return totals(usage.input, usage.output)
  const searches = searchCount(usage, 0)
  return {
    ...totals(inputTokens(usage), outputTokens(usage)),
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: usage.inputAudio },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0, audio_tokens: usage.outputAudio },
    ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
  }
}

function totals(input: number, output: number): JsonObject {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}
