/**
 * Response bodies of an OpenAI-style upstream. Source: the vendor's API reference for chat completions,
 * embeddings and moderations.
 */

export interface ReportedUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** One streamed chunk as a data frame. */
export function openAiChunk(input: {
  model: string
  delta: Record<string, unknown>
  index?: number
  finish?: string
  usage?: ReportedUsage
}): string {
  const { model, delta, index = 0, finish = null, usage } = input
  return frame({
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: 1_750_000_000,
    model,
    choices: [{ index, delta, finish_reason: finish }],
    ...(usage && { usage: usageObject(usage) }),
  })
}

/** One streamed chunk of the legacy completions operation. */
export function completionChunk(input: {
  model: string
  text: string
  index?: number
  finish?: string
}): string {
  const { model, text, index = 0, finish = null } = input
  return frame({
    id: 'cmpl-fake',
    object: 'text_completion',
    created: 1_750_000_000,
    model,
    choices: [{ index, text, logprobs: null, finish_reason: finish }],
  })
}

/** The last chunk of a stream, which carries usage and no choices. */
export function usageChunk(model: string, usage: ReportedUsage): string {
  return frame({
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: 1_750_000_000,
    model,
    choices: [],
    usage: usageObject(usage),
  })
}

export const doneFrame = 'data: [DONE]\n\n'

export function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export function usageObject({ promptTokens, completionTokens }: ReportedUsage): Record<string, unknown> {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}

/** A complete chat response; with `toolCalls`, it carries those. */
export function chatAnswer(input: {
  model: string
  text: string
  choices?: number
  finish?: string
  toolCalls?: readonly unknown[]
  usage?: ReportedUsage
}): Record<string, unknown> {
  const { model, text, choices = 1, finish = 'stop', toolCalls, usage } = input
  const message = toolCalls
    ? { role: 'assistant', content: null, tool_calls: toolCalls }
    : { role: 'assistant', content: text }
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 1_750_000_000,
    model,
    choices: Array.from({ length: choices }, (_, index) => ({
      index,
      message,
      finish_reason: toolCalls ? 'tool_calls' : finish,
    })),
    ...(usage && { usage: usageObject(usage) }),
  }
}

export function completionAnswer(input: {
  model: string
  text: string
  choices?: number
  finish?: string
  usage?: ReportedUsage
}): Record<string, unknown> {
  const { model, text, choices = 1, finish = 'stop', usage } = input
  return {
    id: 'cmpl-fake',
    object: 'text_completion',
    created: 1_750_000_000,
    model,
    choices: Array.from({ length: choices }, (_, index) => ({
      index,
      text,
      logprobs: null,
      finish_reason: finish,
    })),
    ...(usage && { usage: usageObject(usage) }),
  }
}

export function embeddingsAnswer(input: {
  model: string
  count: number
  promptTokens?: number
}): Record<string, unknown> {
  const { model, count, promptTokens } = input
  return {
    object: 'list',
    model,
    data: Array.from({ length: count }, (_, index) => ({
      object: 'embedding',
      index,
      embedding: [0.25, -0.5, 0.125],
    })),
    ...(promptTokens !== undefined && { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } }),
  }
}

export function moderationsAnswer(model: string): Record<string, unknown> {
  return {
    id: 'modr-fake',
    model,
    results: [{ flagged: false, categories: { violence: false }, category_scores: { violence: 0.01 } }],
  }
}

export function modelsAnswer(ids: readonly string[]): Record<string, unknown> {
  return {
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', created: 1_750_000_000, owned_by: 'fake' })),
  }
}

export function errorAnswer(status: number): Record<string, unknown> {
  const known = errors[status] ?? { message: 'The server had an error', type: 'server_error', code: null }
  return { error: { ...known, param: null } }
}

const errors: Readonly<Record<number, { message: string; type: string; code: string | null }>> = {
  400: { message: 'This request is not valid', type: 'invalid_request_error', code: 'invalid_value' },
  401: {
    message: 'Incorrect API key provided: sk-upst***ret',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  },
  429: { message: 'Rate limit reached', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  503: { message: 'The engine is overloaded', type: 'server_error', code: null },
}
