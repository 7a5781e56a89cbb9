import { problem } from '@tollgate/problems/problem'
import { numberOf } from '../canonical/members.ts'
import { recordsAt, textAt, type JsonObject } from '../json.ts'
import { badBody, errorInside } from '../errors/upstream-error.ts'
import { inputTokens } from '../usage.ts'
import type { VectorDialect, EmbeddingRequest } from './vectors.ts'

/** https://platform.openai.com/docs/api-reference/embeddings */
export const openaiVectors: VectorDialect = {
  readWanted: (body) => ({
    texts: textsOf(body['input']),
    dimensions: numberOf(body, 'dimensions'),
    encoding: body['encoding_format'] === 'base64' ? 'base64' : 'numbers',
    isList: true,
  }),
  writeRequest: ({ texts, dimensions }, model) => ({ model, input: texts, dimensions }),
  readAnswer: (body, readUsage) => {
    const error = errorInside(body)
    if (error !== undefined) return { type: 'error', error }
    const vectors = recordsAt(body, 'data').map(vectorOf)
    if (!vectors.every((vector) => vector !== undefined) || vectors.length === 0)
      return { type: 'error', error: badBody('bad_response_body') }
    return { type: 'vectors', vectors: { vectors, usage: readUsage(body) } }
  },
  writeAnswer: ({ vectors, usage }, { wanted, model, inputTokensCounted }) => {
    const tokens = usage === undefined ? inputTokensCounted : inputTokens(usage)
    return {
      object: 'list',
      data: vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: written(vector, wanted),
      })),
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }
  },
}

function textsOf(input: unknown): readonly string[] {
  const texts: unknown = typeof input === 'string' ? [input] : input
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts
  throw problem('not_expressible', { feature: 'token numbers instead of text' })
}

function vectorOf(item: JsonObject): readonly number[] | undefined {
  const base64 = textAt(item, 'embedding')
  return base64 === undefined ? numbersOf(item['embedding']) : unpacked(Buffer.from(base64, 'base64'))
}

export function numbersOf(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) && value.every((number) => typeof number === 'number') ? value : undefined
}

/** Encodes a vector as base64 of four bytes per number, little-endian, if requested. */
function written(vector: readonly number[], { encoding }: EmbeddingRequest): readonly number[] | string {
  if (encoding === 'numbers') return vector
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((number, at) => bytes.writeFloatLE(number, at * 4))
  return bytes.toString('base64')
}

function unpacked(bytes: Buffer): readonly number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4))
}
