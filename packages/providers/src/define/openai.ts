import type { UsageReader } from '@tollgate/dialects/dialect'
import {
  readImageUsage,
  readRerankUsage,
  readSearchUsage,
  readTranscriptUsage,
} from '@tollgate/dialects/media/usage'
import { readTurnUsage } from '@tollgate/dialects/realtime/usage'
import { readOpenAiUsage } from '@tollgate/dialects/openai-usage'
import { readResponsesUsage } from '@tollgate/dialects/responses/usage'
import type { HeaderWriter, Operation, Endpoint } from '../provider.ts'
import { at, joinUrl, segment, type UrlWriter } from './url.ts'

export interface OpenAiEndpoint extends Partial<Omit<Endpoint, 'dialect' | 'url'>> {
  /** A path below the base URL; the usual OpenAI path when absent. */
  readonly path?: string
  /** Replaces `path` where the URL depends on more than the base URL. */
  readonly url?: UrlWriter
}

/** The paths of the OpenAI API, as clients call them. */
export const openaiPaths = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  moderations: '/v1/moderations',
  images: '/v1/images/generations',
  'image-edits': '/v1/images/edits',
  'image-variations': '/v1/images/variations',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
  rerank: '/v1/rerank',
  responses: '/v1/responses',
  compact: '/v1/responses/compact',
  search: '/v1/alpha/search',
} as const satisfies Partial<Record<Operation, string>>

type OpenAiOperation = keyof typeof openaiPaths

/** Operations whose usage has another shape than that of chat completions. */
const usageReaders: Partial<Readonly<Record<OpenAiOperation, UsageReader>>> = {
  responses: readResponsesUsage,
  compact: readResponsesUsage,
  rerank: readRerankUsage,
  search: readSearchUsage,
  images: readImageUsage,
  'image-edits': readImageUsage,
  'image-variations': readImageUsage,
  transcriptions: readTranscriptUsage,
  translations: readTranscriptUsage,
}

/** Declares one operation in the OpenAI API. */
function openaiEndpoint(operation: OpenAiOperation): (options?: OpenAiEndpoint) => Endpoint {
  return ({ path = openaiPaths[operation], url = at(path), ...rest } = {}) => ({
    dialect: 'openai',
    url,
    quirks: [],
    readUsage: usageReaders[operation] ?? readOpenAiUsage,
    streamOptions: operation === 'chat' || operation === 'completions',
    ...rest,
  })
}

export const openaiChat = openaiEndpoint('chat')
export const openaiCompletions = openaiEndpoint('completions')
export const openaiEmbeddings = openaiEndpoint('embeddings')
export const openaiImages = openaiEndpoint('images')
export const openaiImageEdits = openaiEndpoint('image-edits')
export const openaiSpeech = openaiEndpoint('speech')
export const openaiTranscriptions = openaiEndpoint('transcriptions')
export const openaiRerank = openaiEndpoint('rerank')
export const openaiResponses = openaiEndpoint('responses')
export const openaiCompact = openaiEndpoint('compact')
export const openaiSearch = openaiEndpoint('search')

/**
 * Declares sessions over a WebSocket; the model is in the URL.
 * https://platform.openai.com/docs/guides/realtime-websocket
 */
export function openaiRealtime({ url = realtimeUrl, authHeaders }: RealtimeEndpoint = {}): Endpoint {
  return {
    dialect: 'openai',
    url: overSocket(url),
    quirks: [],
    readUsage: readTurnUsage,
    streamOptions: false,
    authHeaders,
  }
}

interface RealtimeEndpoint {
  /** The http(s) URL, which is converted to ws(s); the usual OpenAI path when absent. */
  readonly url?: UrlWriter
  readonly authHeaders?: HeaderWriter
}

const realtimeUrl: UrlWriter = ({ model }, { baseUrl }) =>
  joinUrl(baseUrl, `/v1/realtime?model=${segment(model)}`)

/** `http:` becomes `ws:`, `https:` becomes `wss:`. */
function overSocket(url: UrlWriter): UrlWriter {
  return (outgoing, upstream) => url(outgoing, upstream).replace(/^http/, 'ws')
}

/**
 * Operations besides chat that OpenAI has served from the beginning; OpenAI-compatible vendors serve them
 * too.
 */
export const legacyOperations = [
  'completions',
  'embeddings',
  'moderations',
  'images',
  'image-edits',
  'image-variations',
  'speech',
  'transcriptions',
  'translations',
  'rerank',
] as const satisfies readonly OpenAiOperation[]

/** Declares several operations at the usual OpenAI paths: `...openai(['completions', 'embeddings'])`. */
export function openai(
  operations: readonly OpenAiOperation[],
  options: (path: string) => OpenAiEndpoint = (path) => ({ path }),
): Partial<Record<Operation, readonly Endpoint[]>> {
  return Object.fromEntries(
    operations.map((operation) => [operation, [openaiEndpoint(operation)(options(openaiPaths[operation]))]]),
  )
}
