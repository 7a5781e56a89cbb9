import { problem } from '@tollgate/problems/problem'
import { errorIn } from '../gemini/error.ts'
import { normalizeBody } from '../gemini/normal-body.ts'
import { memberOf, numberOf, recordOf, recordsOf, textOf } from '../gemini/members.ts'
import { recordAt, recordsAt, type JsonObject } from '../json.ts'
import { badBody } from '../errors/upstream-error.ts'
import { inputTokens } from '../usage.ts'
import { numbersOf } from './openai.ts'
import type { VectorDialect } from './vectors.ts'

/** `embedContent` and `batchEmbedContents`. https://ai.google.dev/api/embeddings */
export const geminiVectors: VectorDialect = {
  readWanted: (written) => {
    const body = normalizeBody(written, 'EmbedContentRequest')
    const requests = Array.isArray(body['requests']) ? recordsAt(body, 'requests') : [body]
    return {
      texts: requests.map(textIn),
      dimensions: dimensionsOf(requests),
      encoding: 'numbers',
      isList: Array.isArray(body['requests']),
    }
  },
  writeRequest: ({ texts, dimensions }, model) => ({
    requests: texts.map((text) => ({
      model: `models/${model}`,
      content: { parts: [{ text }] },
      outputDimensionality: dimensions,
    })),
  }),
  readAnswer: (body, readUsage) => {
    const error = errorIn(body)
    if (error !== undefined) return { type: 'error', error }
    const one = recordAt(body, 'embedding')
    const items = one === undefined ? recordsAt(body, 'embeddings') : [one]
    const vectors = items.map((item) => numbersOf(item['values']))
    if (!vectors.every((vector) => vector !== undefined) || vectors.length === 0)
      return { type: 'error', error: badBody('bad_response_body') }
    return { type: 'vectors', vectors: { vectors, usage: readUsage(body) } }
  },
  writeAnswer: ({ vectors, usage }, { wanted, inputTokensCounted }) => {
    const promptTokenCount = usage === undefined ? inputTokensCounted : inputTokens(usage)
    const usageMetadata = { promptTokenCount, totalTokenCount: promptTokenCount }
    const items = vectors.map((values) => ({ values }))
    return wanted.isList ? { embeddings: items, usageMetadata } : { embedding: items[0], usageMetadata }
  },
}

/** The parts of one content are joined into one text. */
function textIn(request: JsonObject): string {
  const parts = recordsOf(recordOf(request, 'content') ?? {}, 'parts')
  const texts = parts.map((part) => textOf(part, 'text'))
  if (parts.length === 0) throw problem('member_missing', { param: 'content' })
  if (!texts.every((text) => text !== undefined))
    throw problem('not_expressible', { feature: 'vectors of anything but text' })
  return texts.join('\n')
}

function dimensionsOf(requests: readonly JsonObject[]): number | undefined {
  const reported = new Set(requests.map((request) => numberOf(request, 'outputDimensionality')))
  if (reported.size > 1)
    throw problem('not_expressible', { feature: 'vectors of different lengths in one call' })
  return [...reported][0]
}

/** Sets the model in every request of the list, because Gemini checks that it equals the model in the URL. */
export function withModelNames(body: JsonObject, model: string): JsonObject {
  const name = `models/${model}`
  const requests = memberOf(body, 'requests')
  if (Array.isArray(requests))
    return { ...body, requests: recordsAt(body, 'requests').map((each) => ({ ...each, model: name })) }
  return body['model'] === undefined || body['model'] === name ? body : { ...body, model: name }
}
