import type { UpstreamError } from '../dialect.ts'
import { describe, expect, test } from 'vitest'
import { readGeminiError } from '../gemini/error.ts'
import { readUpstreamError } from '../errors/upstream-error.ts'
import { dialectNames } from './raw.ts'
import { refusalIn } from './refusal.ts'
import { genericError, translateError } from './translate-error.ts'

/** Bodies as the vendors send them, taken from their documentation or from public reports. */
interface Case {
  readonly vendor: string
  readonly status: number
  readonly body: string
  readonly tokens?: { readonly input: number; readonly maximum: number }
}

const bodies: readonly (readonly [string, number, string, Case['tokens']?])[] = [
  [
    'OpenAI chat',
    400,
    `{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 140012 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`,
    { input: 140_012, maximum: 128_000 },
  ],
  [
    'OpenAI Responses',
    400,
    '{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}',
  ],
  [
    'Anthropic',
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 214315 tokens > 200000 maximum"}}',
    { input: 214_315, maximum: 200_000 },
  ],
  [
    'Anthropic without room for the answer',
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again"}}',
  ],
  [
    'Gemini',
    400,
    '{"error":{"code":400,"message":"The input token count (1189615) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}',
    { input: 1_189_615, maximum: 1_048_575 },
  ],
  [
    'Vertex AI',
    400,
    '{"error":{"code":400,"message":"Unable to submit request because the input token count is 1098765 but model only supports up to 1048576. Reduce the input token count and try again.","status":"INVALID_ARGUMENT"}}',
    { input: 1_098_765, maximum: 1_048_576 },
  ],
  ['Bedrock', 400, '{"message":"Input is too long for requested model."}'],
  [
    'DeepSeek',
    400,
    `{"error":{"message":"This model's maximum context length is 131072 tokens. However, you requested 150310 tokens (142118 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`,
    { input: 150_310, maximum: 131_072 },
  ],
  [
    'Moonshot',
    400,
    '{"error":{"message":"Invalid request: Your request exceeded model token limit: 262144","type":"invalid_request_error"}}',
  ],
  [
    'vLLM',
    400,
    `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.","type":"BadRequestError","param":null,"code":400}`,
    { input: 5_000, maximum: 4_096 },
  ],
  [
    'SiliconFlow',
    400,
    '{"code":20015,"message":"length of prompt_tokens (40960) must be less than max_seq_len (32768).","data":null}',
    { input: 40_960, maximum: 32_768 },
  ],
  [
    'Alibaba',
    400,
    '{"error":{"code":"invalid_parameter_error","param":null,"message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]","type":"invalid_request_error"}}',
  ],
  [
    'xAI',
    400,
    '{"code":"Client specified an invalid argument","error":"This model\'s maximum prompt length is 131072 but the request contains 537812 tokens."}',
    { input: 537_812, maximum: 131_072 },
  ],
  [
    'Mistral',
    400,
    '{"object":"error","message":"Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","code":3051}',
    { input: 65_673, maximum: 32_768 },
  ],
  [
    'Groq',
    400,
    '{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
  ],
  [
    'llama.cpp',
    400,
    '{"error":{"code":400,"message":"request (5123 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5123,"n_ctx":4096}}',
    { input: 5_123, maximum: 4_096 },
  ],
  ['Zhipu', 400, '{"error":{"code":"1261","message":"Prompt exceeds max length"}}'],
  [
    'Hugging Face TGI',
    422,
    '{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`","error_type":"validation"}',
    { input: 5_000, maximum: 4_096 },
  ],
]

const tooLong: readonly Case[] = bodies.map(([vendor, status, body, tokens]) => ({
  vendor,
  status,
  body,
  ...(tokens && { tokens }),
}))

const others: readonly (readonly [string, number, string])[] = [
  ['a wrong key', 401, '{"error":{"message":"prompt is too long","code":"invalid_api_key"}}'],
  [
    'too many tokens a minute',
    429,
    '{"error":{"message":"Rate limit reached: maximum context length is 3"}}',
  ],
  [
    'an output that is too long',
    400,
    '{"error":{"message":"max_tokens: 900000 > 64000, which is the maximum allowed number of output tokens"}}',
  ],
  [
    'a text that is too long',
    400,
    '{"error":{"message":"string too long","code":"string_above_max_length"}}',
  ],
  ['an upstream that is broken', 500, '{"error":{"message":"internal error"}}'],
]

function refusalWith(message: string): UpstreamError {
  return readUpstreamError(400, Buffer.from(JSON.stringify({ message })))
}

describe('the error for an input that is too long', () => {
  test.each(tooLong)('is recognised as $vendor sends it', ({ status, body, tokens }) => {
    const refusal = refusalIn(readUpstreamError(status, Buffer.from(body)))
    expect(refusal).toEqual({ type: 'too-long', ...(tokens && { tokens }) })
  })

  test.each(others)('is not recognised in %s', (_what, status, body) => {
    expect(refusalIn(readUpstreamError(status, Buffer.from(body)))).toBeUndefined()
  })

  test.each(tooLong)('from $vendor is rewritten for each dialect', ({ status, body }) => {
    const error = readGeminiError(status, Buffer.from(body))
    const reported = (name: (typeof dialectNames)[number]) => translateError(name, error) ?? error
    for (const name of ['openai', 'responses'] as const)
      expect(reported(name)).toMatchObject({ status: 400, code: 'context_length_exceeded' })
    expect(reported('anthropic')).toMatchObject({
      status: 400,
      message: expect.stringMatching(/prompt is too long|exceed context limit/),
    })
    expect(reported('gemini')).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^The input token count|input token count is/),
    })
  })

  test('keeps the token counts of the vendor, and has none if the vendor sent none', () => {
    const reported = refusalWith(
      'The input token count (30) exceeds the maximum number of tokens allowed (20).',
    )
    expect(translateError('anthropic', reported)?.message).toBe('prompt is too long: 30 tokens > 20 maximum')
    expect(translateError('openai', reported)?.message).toContain(
      'is 20 tokens. However, your messages resulted in 30 ',
    )
    const untold = refusalWith('Input is too long for requested model.')
    expect(translateError('anthropic', untold)?.message).not.toMatch(/\d/)
    expect(translateError('gemini', untold)?.message).not.toMatch(/\d/)
  })

  test('is left as it is if it is already in the format of the caller', () => {
    const vendors = {
      openai: 'OpenAI chat',
      responses: 'OpenAI Responses',
      anthropic: 'Anthropic',
      gemini: 'Gemini',
    }
    for (const name of dialectNames) {
      const body = tooLong.find(({ vendor }) => vendor === vendors[name])?.body ?? ''
      expect(refusalIn(readUpstreamError(400, Buffer.from(body)))?.type).toBe('too-long')
      expect(translateError(name, readUpstreamError(400, Buffer.from(body)))).toBeUndefined()
    }
  })
})

describe('the error of an overloaded vendor', () => {
  test.each([
    ['openai', 503, 'service_unavailable_error'],
    ['responses', 503, 'service_unavailable_error'],
    ['anthropic', 529, 'overloaded_error'],
    ['gemini', 503, 'overloaded_error'],
  ] as const)('is sent to callers of %s with status %i', (name, status, type) => {
    for (const from of [503, 529]) {
      const error = readUpstreamError(from, Buffer.from('{"error":{"message":"busy now","type":"x"}}'))
      const reported = translateError(name, error)
      expect(reported?.status ?? from).toBe(status)
      if (reported !== undefined) expect(reported).toMatchObject({ type, message: 'busy now' })
    }
  })

  test('contains no text of the vendor if the operator hides upstream messages', () => {
    const error = readUpstreamError(529, Buffer.from('{"error":{"message":"secret words"}}'))
    for (const name of dialectNames) expect(genericError(name, error)?.message).toMatch(/overloaded/i)
    const long = readUpstreamError(400, Buffer.from('{"message":"prompt is too long for secret words"}'))
    for (const name of dialectNames) expect(genericError(name, long)?.message).not.toContain('secret')
  })
})
