import { readOpenAiUsage } from '@tollgate/dialects/openai/usage'
import { readResponsesUsage } from '@tollgate/dialects/responses/usage'
import type { Operation, Spoken } from '../provider.ts'
import { at, type UrlWriter } from './url.ts'

export interface OpenAiWay extends Partial<Omit<Spoken, 'dialect' | 'url'>> {
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
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
  rerank: '/v1/rerank',
  responses: '/v1/responses',
} as const satisfies Partial<Record<Operation, string>>

type OpenAiOperation = keyof typeof openaiPaths

/** One operation in the OpenAI dialect. */
function spokenAs(operation: OpenAiOperation): (way?: OpenAiWay) => Spoken {
  return ({ path = openaiPaths[operation], url = at(path), ...rest } = {}) => ({
    dialect: 'openai',
    url,
    quirks: [],
    readUsage: operation === 'responses' ? readResponsesUsage : readOpenAiUsage,
    // Responses always tell their usage.
    streamOptions: operation !== 'responses',
    ...rest,
  })
}

export const openaiChat = spokenAs('chat')
export const openaiCompletions = spokenAs('completions')
export const openaiEmbeddings = spokenAs('embeddings')
export const openaiResponses = spokenAs('responses')

/** Several operations at the dialect's own paths: `...openai(['completions', 'embeddings'])`. */
export function openai(
  operations: readonly OpenAiOperation[],
  way: (path: string) => OpenAiWay = (path) => ({ path }),
): Partial<Record<Operation, readonly Spoken[]>> {
  return Object.fromEntries(
    operations.map((operation) => [operation, [spokenAs(operation)(way(openaiPaths[operation]))]]),
  )
}
