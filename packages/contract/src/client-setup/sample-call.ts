import type { Dialect, SetupValues } from './setup.ts'

/** A small call in one wire format: what `curl` shows and what the Connect page sends to test a token. */
export interface SampleCall {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

const QUESTION = 'Say hello in five words.'
/** Enough for a short answer of a model that thinks first, and little enough to cost next to nothing. */
const OUTPUT_TOKENS_MAX = 512

type CallValues = Omit<SetupValues, 'address'>

export function sampleCall(dialect: Dialect, values: CallValues): SampleCall {
  return calls[dialect](values)
}

const messages = [{ role: 'user', content: QUESTION }]

const calls: Readonly<Record<Dialect, (values: CallValues) => SampleCall>> = {
  chat: ({ key, model }) => ({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: { model, messages, max_tokens: OUTPUT_TOKENS_MAX },
  }),
  responses: ({ key, model }) => ({
    path: '/v1/responses',
    headers: { authorization: `Bearer ${key}` },
    body: { model, input: QUESTION, max_output_tokens: OUTPUT_TOKENS_MAX },
  }),
  messages: ({ key, model }) => ({
    path: '/v1/messages',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: { model, messages, max_tokens: OUTPUT_TOKENS_MAX },
  }),
  gemini: ({ key, model }) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: { 'x-goog-api-key': key },
    body: {
      contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
      generationConfig: { maxOutputTokens: OUTPUT_TOKENS_MAX },
    },
  }),
}
