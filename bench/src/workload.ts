/**
 * The request sent to every target and the response of every upstream: small, ordinary, and the same for all
 * targets.
 */

/**
 * Non-streamed and streamed chat, and streams of two other API formats; each is returned to callers of the
 * same format.
 */
export const kinds = ['whole', 'stream', 'responses', 'generate'] as const

export type Kind = (typeof kinds)[number]
export type StreamKind = Exclude<Kind, 'whole'>

/** The gateway routes by model, so each kind has its own model and channel. */
export const models: Readonly<Record<Kind, string>> = {
  whole: 'gpt-4o-mini',
  stream: 'gpt-4o-mini-2024-07-18',
  responses: 'gpt-4o-2024-11-20',
  generate: 'gemini-2.5-flash',
}

/** Request path of each kind. */
export const paths: Readonly<Record<Kind, string>> = {
  whole: '/v1/chat/completions',
  stream: '/v1/chat/completions',
  responses: '/v1/responses',
  generate: `/v1beta/models/${models.generate}:streamGenerateContent?alt=sse`,
}

/** Default number of frames in a stream. */
export const FRAMES = 200

const SYSTEM = 'You are a helpful assistant.'
const QUESTION = 'Say in one sentence what a gateway does.'

export function requestBody(kind: Kind): string {
  if (kind === 'responses') {
    const input = [{ role: 'user', content: QUESTION }]
    return JSON.stringify({
      model: models[kind],
      instructions: SYSTEM,
      input,
      max_output_tokens: 512,
      stream: true,
    })
  }
  if (kind === 'generate') {
    const contents = [{ role: 'user', parts: [{ text: QUESTION }] }]
    return JSON.stringify({
      systemInstruction: { parts: [{ text: SYSTEM }] },
      contents,
      generationConfig: { maxOutputTokens: 512, temperature: 0.7 },
    })
  }
  return JSON.stringify({
    model: models[kind],
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: QUESTION },
    ],
    max_tokens: 512,
    temperature: 0.7,
    ...(kind === 'stream' && { stream: true }),
  })
}

export const wholeAnswer = JSON.stringify({
  id: 'chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012',
  object: 'chat.completion',
  created: 1_750_000_000,
  model: models.whole,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'A gateway receives a request, decides where it may go, and carries the answer back.',
        refusal: null,
      },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: 27,
    completion_tokens: 18,
    total_tokens: 45,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  },
  service_tier: 'default',
  system_fingerprint: 'fp_0123456789',
})

export function wholeResponse(): Buffer {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(wholeAnswer)}\r\n\r\n`
  return Buffer.from(head + wholeAnswer)
}
