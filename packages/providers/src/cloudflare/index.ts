import { recordAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { bearer, keyLike } from '../define/credentials.ts'
import { defineProvider, names } from '../define/define-provider.ts'
import {
  openaiChat,
  openaiCompletions,
  openaiEmbeddings,
  openaiImages,
  openaiResponses,
  openaiTranscriptions,
} from '../define/openai.ts'
import { joinUrl, segment } from '../define/url.ts'
import { readPicture, writePicture } from './pictures.ts'
import type { Outgoing, Endpoint, Upstream } from '../provider.ts'
import { onBody, onlyMembers, type Body } from '../quirks/body.ts'
import { olderOutputLimit } from '../quirks/output-limit.ts'

/**
 * Cloudflare accepts only multipart forms for the flux-2 models, so this endpoint excludes them.
 * https://developers.cloudflare.com/changelog/2026-01-28-flux-2-klein-9b-workers-ai/
 */
const NO_FORMS = /^(?!.*flux-2)/

/** https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/ */
export const cloudflare = defineProvider({
  id: 'cloudflare',
  type: 39,
  label: 'Cloudflare Workers AI',
  address: {
    help: { en: 'Everything before /client/v4/accounts.', zh: '/client/v4/accounts 之前的部分。' },
  },
  baseUrl: 'https://api.cloudflare.com',
  credentials: keyLike('API token'),
  other: { label: { en: 'Account ID', zh: '账户 ID' } },
  endpoints: {
    chat: [
      openaiChat({
        url: at('/v1/chat/completions'),
        quirks: [olderOutputLimit],
        // Chunks may lack members that OpenAI clients rely on, so these are added.
        adjustChunk: { apply: (chunk) => ('id' in chunk ? chunk : { ...CHUNK_HEAD, ...chunk }) },
      }),
    ],
    // The vendor serves Responses for these models only.
    responses: [openaiResponses({ url: at('/v1/responses'), models: /gpt-oss/ })],
    embeddings: [openaiEmbeddings({ url: at('/v1/embeddings') })],
    images: [
      openaiImages({
        url: run,
        models: NO_FORMS,
        streams: 'never',
        authHeaders: bearer(() => ({ accept: '*/*' })),
        quirks: [onBody(writePicture)],
        adjustAnswer: readPicture,
      }),
    ],
    transcriptions: [
      openaiTranscriptions({
        url: run,
        takesFile: true,
        streams: 'never',
        quirks: [onBody(onlyText)],
        adjustAnswer: (answer) => ({ text: recordAt(answer, 'result')?.['text'] }),
      }),
    ],
    completions: [
      openaiCompletions({
        url: run,
        quirks: [olderOutputLimit, onlyMembers('model', 'prompt', 'max_tokens', 'stream', 'temperature')],
        streamOptions: false,
        adjustAnswer: (answer) => asCompletion(recordAt(answer, 'result') ?? {}, 'stop'),
        adjustChunk: { apply: (chunk) => asCompletion(chunk, null) },
      }),
    ],
  },
  models: names(`
    @cf/meta/llama-3.1-8b-instruct @cf/meta/llama-3-8b-instruct @cf/meta/llama-2-7b-chat-fp16
    @cf/meta/llama-2-7b-chat-int8 @cf/mistral/mistral-7b-instruct-v0.1 @cf/mistral/mistral-7b-instruct-v0.2-lora
    @cf/deepseek-ai/deepseek-math-7b-base @cf/deepseek-ai/deepseek-math-7b-instruct
    @cf/thebloke/discolm-german-7b-v1-awq @cf/tiiuae/falcon-7b-instruct @cf/google/gemma-2b-it-lora
    @cf/google/gemma-7b-it-lora @cf/meta-llama/llama-2-7b-chat-hf-lora @cf/openchat/openchat-3.5-0106
    @cf/microsoft/phi-2 @cf/qwen/qwen1.5-0.5b-chat @cf/qwen/qwen1.5-1.8b-chat @cf/qwen/qwen1.5-14b-chat-awq
    @cf/qwen/qwen1.5-7b-chat-awq @cf/defog/sqlcoder-7b-2 @cf/tinyllama/tinyllama-1.1b-chat-v1.0
    @hf/thebloke/deepseek-coder-6.7b-base-awq @hf/thebloke/deepseek-coder-6.7b-instruct-awq
    @hf/thebloke/llama-2-13b-chat-awq @hf/thebloke/llamaguard-7b-awq @hf/thebloke/mistral-7b-instruct-v0.1-awq
    @hf/thebloke/neural-chat-7b-v3-1-awq @hf/thebloke/openhermes-2.5-mistral-7b-awq
    @hf/thebloke/zephyr-7b-beta-awq @hf/google/gemma-7b-it @hf/nousresearch/hermes-2-pro-mistral-7b
    @hf/mistralai/mistral-7b-instruct-v0.2 @hf/nexusflow/starling-lm-7b-beta
    @cf/black-forest-labs/flux-1-schnell @cf/stabilityai/stable-diffusion-xl-base-1.0
    @cf/bytedance/stable-diffusion-xl-lightning @cf/lykon/dreamshaper-8-lcm @cf/leonardo/phoenix-1.0
    @cf/leonardo/lucid-origin
  `),
})

const CHUNK_HEAD = { id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 0, model: '' }
const COMPLETION_HEAD = { ...CHUNK_HEAD, object: 'text_completion' }

function at(path: string): Endpoint['url'] {
  return (_outgoing, upstream) => account(upstream, path)
}

function account({ baseUrl, other }: Upstream, path: string): string {
  if (other === '') throw problem('channel_other_missing', { label: 'Account ID' })
  return joinUrl(baseUrl, `/client/v4/accounts/${segment(other)}/ai${path}`)
}

/** Names such as `@cf/meta/llama-3` keep their slashes in the path. */
function run({ model }: Outgoing, upstream: Upstream): string {
  return account(upstream, `/run/${model.split('/').map(segment).join('/')}`)
}

/** The transcription has no timestamps, so subtitle formats are refused. */
function onlyText(body: Body): Body {
  const format = body['response_format'] ?? 'json'
  if (format !== 'json' && format !== 'text')
    throw problem('member_unknown_value', { param: 'response_format', values: 'json, text' })
  return body
}

/** Converts the vendor's own text response `{ response }` to a completion. */
function asCompletion(
  result: Readonly<Record<string, unknown>>,
  finish: string | null,
): Record<string, unknown> {
  const text = typeof result['response'] === 'string' ? result['response'] : ''
  const usage = recordAt(result, 'usage')
  const choices = [{ index: 0, text, logprobs: null, finish_reason: finish }]
  return { ...COMPLETION_HEAD, choices, ...(usage === undefined ? {} : { usage }) }
}
