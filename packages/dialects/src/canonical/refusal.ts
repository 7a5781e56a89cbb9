import type { UpstreamError } from '../dialect.ts'

/** An upstream error to which clients react: they shorten the conversation, or retry later. */
export type Refusal = TooLong | { readonly type: 'overloaded' }

export interface TooLong {
  readonly type: 'too-long'
  /** Set if the upstream reported both counts and the input exceeds the maximum. */
  readonly tokens?: { readonly input: number; readonly maximum: number }
}

/** Returns `undefined` for an error to which clients have no special reaction. */
export function refusalIn(error: UpstreamError): Refusal | undefined {
  if (isTooLong(error)) return tooLong(error.message)
  const isOverloaded = error.status === 503 || error.status === 529 || error.type === 'overloaded_error'
  return isOverloaded ? { type: 'overloaded' } : undefined
}

/**
 * Statuses with which vendors reject an input for its length. A wrong key, a missing model and a rate limit
 * have other statuses.
 */
const STATUSES: ReadonlySet<number> = new Set([400, 413, 422, 500, 502])

function isTooLong({ status, code, type, message }: UpstreamError): boolean {
  if (!STATUSES.has(status)) return false
  return codes.has(code) || codes.has(type) || phrases.some((phrase) => phrase.test(message))
}

/** Error codes of OpenAI and compatible vendors, llama.cpp, GitHub, Zhipu and Baidu. */
const codes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'exceed_context_size_error',
  'model_max_prompt_tokens_exceeded',
  '1261',
  '336007',
])

/** Phrases in error messages, each group with the vendors that use it. */
const phrases: readonly RegExp[] = [
  // Anthropic, Fireworks
  /prompt is too long/i,
  // Anthropic, for a prompt that leaves no room for `max_tokens`
  /input length and `?max_tokens`? exceed context limit/i,
  // OpenAI chat, Azure, DeepSeek, vLLM, OpenRouter
  /maximum context length (?:is|of) \d/i,
  // Groq
  /reduce the length of the messages/i,
  // OpenAI Responses
  /exceeds the context window/i,
  /context window exceeds limit/i,
  // Gemini, Vertex AI
  /input token count .{0,40}exceeds the maximum number of tokens/i,
  /input token count is \d{1,12} but model only supports/i,
  // Bedrock
  /input is too long for requested model/i,
  /too many input tokens/i,
  // Moonshot
  /exceeded model token limit/i,
  // SiliconFlow
  /prompt_tokens .{0,40}must be less than max_seq_len/i,
  // Alibaba
  /range of input length should be/i,
  // xAI
  /maximum prompt length is \d/i,
  // Mistral
  /too large for model with \d{1,12} maximum context length/i,
  // Hugging Face TGI, Together
  /inputs`? tokens \+ `?max_new_tokens`? must be/i,
  // llama.cpp, LM Studio
  /exceeds the available context size/i,
  /greater than the context length/i,
  // Volcengine
  /input length .{0,40}exceeds the maximum length/i,
  /exceed max message tokens/i,
  // Zhipu
  /prompt exceeds max length/i,
  // Cohere
  /too many tokens: .{0,80}cannot exceed/i,
  // Baidu
  /prompt tokens too long/i,
]

function tooLong(message: string): TooLong {
  const input = figureIn(message, inputs)
  const maximum = figureIn(message, maxima)
  const isTold = input !== undefined && maximum !== undefined && input > maximum
  return { type: 'too-long', tokens: isTold ? { input, maximum } : undefined }
}

/** Number of tokens in the input, or requested in total. */
const inputs: readonly RegExp[] = [
  /(\d{1,12}) tokens >/,
  /input token count \(?(?:is )?(\d{1,12})/i,
  /resulted in (\d{1,12}) tokens/i,
  /requested (?:about )?(\d{1,12}) tokens/i,
  /contains (\d{1,12}) tokens/i,
  /prompt_tokens \((\d{1,12})\)/,
  /given: (\d{1,12}) `?inputs/i,
  /input length \((\d{1,12})\)/i,
  /request \((\d{1,12}) tokens\)/i,
]

const maxima: readonly RegExp[] = [
  /tokens > (\d{1,12})/,
  /tokens allowed \(?(\d{1,12})/i,
  /only supports up to (\d{1,12})/i,
  /maximum (?:context|prompt) length (?:is|of) (\d{1,12})/i,
  /(\d{1,12}) maximum context length/i,
  /model token limit: (\d{1,12})/i,
  /max_seq_len \((\d{1,12})\)/,
  /must be <= (\d{1,12})/,
  /maximum length \((\d{1,12})\)/i,
  /available context size \((\d{1,12})/i,
]

function figureIn(message: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const figure = pattern.exec(message)?.[1]
    if (figure !== undefined) return Number(figure)
  }
  return undefined
}
