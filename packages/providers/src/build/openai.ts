import type { UsageReader } from '@tollgate/dialects/dialect'
import {
  readImageUsage,
  readRerankUsage,
  readSearchUsage,
  readTranscriptUsage,
} from '@tollgate/dialects/media/usage'
import { readTurnUsage } from '@tollgate/dialects/realtime/usage'
import { readOpenAiUsage } from '@tollgate/dialects/openai/usage'
import { readResponsesUsage } from '@tollgate/dialects/responses/usage'
import type { HeaderWriter, Operation, Endpoint } from '../provider.ts'
import { at, joinUrl, segment, type UrlWriter } from './url.ts'

export interface OpenAiEndpoint extends Partial<Omit<Endpoint, 'dialect' | 'url'>> {
  /** Below the base URL; the client's own path when absent. */
  readonly path?: string
  /** Instead of a path, where the destination depends on more. */
  readonly url?: UrlWriter
}

/** The paths of the dialect, as clients use them. */
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

/** Where usage is told otherwise than for texts. */
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

/** One operation in the OpenAI dialect. */
function spokenAs(operation: OpenAiOperation): (options?: OpenAiEndpoint) => Endpoint {
  return ({ path = openaiPaths[operation], url = at(path), ...rest } = {}) => ({
    dialect: 'openai',
    url,
    quirks: [],
    readUsage: usageReaders[operation] ?? readOpenAiUsage,
    streamOptions: operation === 'chat' || operation === 'completions',
    ...rest,
  })
}

export const openaiChat = spokenAs('chat')
export const openaiCompletions = spokenAs('completions')
export const openaiEmbeddings = spokenAs('embeddings')
export const openaiImages = spokenAs('images')
export const openaiImageEdits = spokenAs('image-edits')
export const openaiSpeech = spokenAs('speech')
export const openaiTranscriptions = spokenAs('transcriptions')
export const openaiRerank = spokenAs('rerank')
export const openaiResponses = spokenAs('responses')
export const openaiCompact = spokenAs('compact')
export const openaiSearch = spokenAs('search')

/** Sessions over a WebSocket: the model is in the address. https://platform.openai.com/docs/guides/realtime-websocket */
export function openaiRealtime({ url = realtimeUrl, authHeaders }: RealtimeEndpoint = {}): Endpoint {
  return {
    dialect: 'openai',
    url: overSocket(url),
    quirks: [],
    readUsage: readTurnUsage,
    streamOptions: false,
    ...(authHeaders && { authHeaders }),
  }
}

interface RealtimeEndpoint {
  /** Over http; the dialect's own place when absent. */
  readonly url?: UrlWriter
  readonly authHeaders?: HeaderWriter
}

const realtimeUrl: UrlWriter = ({ model }, { baseUrl }) =>
  joinUrl(baseUrl, `/v1/realtime?model=${segment(model)}`)

/** `http:` becomes `ws:`, `https:` becomes `wss:`. */
function overSocket(url: UrlWriter): UrlWriter {
  return (outgoing, upstream) => url(outgoing, upstream).replace(/^http/, 'ws')
}

/** What OpenAI served besides conversations from the beginning, and all who stand in for it do too. */
export const besideChat = [
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

/** Several operations at the dialect's own paths: `...openai(['completions', 'embeddings'])`. */
export function openai(
  operations: readonly OpenAiOperation[],
  options: (path: string) => OpenAiEndpoint = (path) => ({ path }),
): Partial<Record<Operation, readonly Endpoint[]>> {
  return Object.fromEntries(
    operations.map((operation) => [operation, [spokenAs(operation)(options(openaiPaths[operation]))]]),
  )
}
