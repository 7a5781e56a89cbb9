import { parseObject, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import type { CallRow } from '@tollgate/store/logs/find-call'
import { Amount, jsonWithAmounts } from './amounts-json.ts'
import type { CallerReads } from './caller-reads.ts'

/** Ids of requests and answers; every other text is refused before anything is searched. */
const ID = /^[\w.:/-]{1,128}$/

/** Put before the id of an upstream where the dialect of the caller wants it. */
const PREFIX = /^(?:resp|msg)_|^chatcmpl-/

export interface GenerationInput {
  readonly id: string
  readonly userId: number
  readonly reads: Pick<CallerReads, 'findCall'>
  /** For calls whose row does not say it. */
  readonly quotaPerUnit: string
  /** Who offers a model, as the list of models says. */
  readonly vendorOf: (model: string) => string | undefined
}

/**
 * `GET /v1/generation?id=`: what a call of the user cost, with the members of OpenRouter
 * (https://openrouter.ai/docs/api-reference/get-a-generation) and of Vercel's AI Gateway. Throws a Problem for a
 * call that this user did not make.
 */
export async function generation(input: GenerationInput): Promise<string> {
  const { id, userId, reads } = input
  if (!ID.test(id)) throw problem('generation_id_invalid')
  const ids = [...new Set([id, id.replace(PREFIX, '')])].filter((each) => each !== '')
  const row = await reads.findCall({ userId, ids })
  if (row === undefined) throw problem('generation_not_found', { id })
  return `{"data":${jsonWithAmounts(dataOf(row, input))}}`
}

function dataOf(row: CallRow, { id, quotaPerUnit, vendorOf }: GenerationInput) {
  const other = parseObject(row.other) ?? {}
  const receipt = recordAt(other, 'receipt') ?? {}
  const perUnit = textAt(receipt, 'quota_per_unit') ?? quotaPerUnit
  const amount = (units: bigint) => new Amount(units, perUnit)
  const flags = Array.isArray(other['flags']) ? other['flags'] : []
  return {
    id,
    request_id: row.request_id,
    upstream_id: textAt(other, 'answer_id') ?? null,
    total_cost: amount(row.quota),
    usage: amount(row.quota),
    cache_discount: row.cache_saved === null ? null : amount(row.cache_saved),
    // What the operator pays is not reported.
    upstream_inference_cost: 0,
    is_byok: false,
    created_at: new Date(row.created_at * 1000).toISOString(),
    model: row.model_name,
    provider_name: vendorOf(row.model_name) ?? 'unknown',
    api_type: apiTypes[textAt(other, 'operation') ?? ''] ?? null,
    streamed: row.is_stream === 1,
    cancelled: flags.includes('client_gone'),
    finish_reason: finishOf(row, other, flags),
    native_finish_reason: textAt(other, 'finish_reason') ?? null,
    ...timesOf(row),
    ...tokensOf(row, other, recordAt(receipt, 'usage') ?? {}),
    service_tier: textAt(other, 'service_tier') ?? null,
    ...absent,
  }
}

/** Milliseconds until the first byte, and from there to the end. A whole answer has one time only. */
function timesOf({ is_stream: isStream, duration_ms: durationMs, first_byte_ms: firstByteMs }: CallRow) {
  const latency = isStream === 1 && firstByteMs > 0 ? firstByteMs : durationMs
  return { latency, generation_time: latency === durationMs ? durationMs : durationMs - latency }
}

function tokensOf(row: CallRow, other: JsonObject, used: JsonObject) {
  const toolCalls = recordAt(used, 'toolCalls') ?? {}
  return {
    tokens_prompt: row.prompt_tokens,
    tokens_completion: row.completion_tokens,
    native_tokens_prompt: row.prompt_tokens,
    native_tokens_completion: row.completion_tokens,
    native_tokens_completion_images: countAt(used, 'outputImage'),
    native_tokens_reasoning: countAt(used, 'reasoning'),
    native_tokens_cached: row.cached_tokens ?? 0,
    native_tokens_cache_creation: countAt(other, 'cache_creation_tokens'),
    billable_web_search_calls: countAt(toolCalls, 'web_search'),
    num_media_completion: countAt(used, 'images'),
  }
}

function countAt(object: JsonObject, name: string): number {
  const value = object[name]
  return typeof value === 'number' ? value : 0
}

/** Answers that are no text have no reason of their own. */
function finishOf({ type }: CallRow, other: JsonObject, flags: readonly unknown[]): string {
  if (type === LOG_TYPE.error || flags.includes('partial') || flags.includes('recovered')) return 'error'
  return flags.includes('cut') ? 'length' : (textAt(other, 'finish_reason') ?? 'stop')
}

/** OpenRouter's names of what was called, by the names of operations. */
const apiTypes: Readonly<Record<string, string>> = {
  chat: 'completions',
  completions: 'completions',
  messages: 'completions',
  responses: 'completions',
  compact: 'completions',
  generate: 'completions',
  embed: 'embeddings',
  embeddings: 'embeddings',
  rerank: 'rerank',
  images: 'image',
  'image-edits': 'image',
  'image-variations': 'image',
  speech: 'tts',
  transcriptions: 'stt',
  translations: 'stt',
}

/** Members of OpenRouter that a client requires, and that mean nothing here. */
const absent = {
  app_id: null,
  data_region: 'global',
  external_user: null,
  http_referer: null,
  moderation_latency: null,
  num_fetches: null,
  num_input_audio_prompt: null,
  num_media_prompt: null,
  num_search_results: null,
  origin: '',
  preset_id: null,
  provider_responses: null,
  router: null,
  user_agent: null,
  web_search_engine: null,
  workspace_id: null,
}
