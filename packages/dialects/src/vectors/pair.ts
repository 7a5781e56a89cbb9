import { omitUndefined } from '../canonical/omit-undefined.ts'
import type { UsageReader } from '../dialect.ts'
import { parseObject, type JsonObject } from '../json.ts'
import { failed, type ChatAnswer } from '../openai/answer.ts'
import { badBody, insideError, type ErrorInside } from '../errors/upstream-error.ts'
import { geminiVectors } from './gemini.ts'
import { openaiVectors } from './openai.ts'
import type { ReadVectors, VectorDialect, EmbeddingRequest } from './vectors.ts'

/** Embedding operations: each is a wire format, and callers of one can reach upstreams of the other. */
const vectorDialects = {
  embeddings: openaiVectors,
  embed: geminiVectors,
} as const satisfies Record<string, VectorDialect>

export type VectorOperation = keyof typeof vectorDialects

export function isVectors(operation: string): operation is VectorOperation {
  return Object.hasOwn(vectorDialects, operation)
}

/** Reads an embedding request. Throws a problem for one that only its own format can express. */
export function readEmbeddingRequest(asked: VectorOperation, body: JsonObject): EmbeddingRequest {
  return vectorDialects[asked].readWanted(body)
}

/**
 * Converts the body of a request to the other format. Throws a problem for one that the other format cannot
 * express.
 */
export function convertVectors(input: {
  readonly asked: VectorOperation
  readonly endpoint: VectorOperation
  readonly body: JsonObject
  readonly model: string
}): JsonObject {
  const request = readEmbeddingRequest(input.asked, input.body)
  return omitUndefined(vectorDialects[input.endpoint].writeRequest(request, input.model))
}

export interface VectorRules {
  readonly asked: VectorOperation
  readonly endpoint: VectorOperation
  readonly readUsage: UsageReader
  readonly errorInside?: ErrorInside
  /** For vendors whose responses deviate from the format. */
  readonly adjustAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>
  /** The caller's request, if the response has to be converted. */
  readonly vectors?: EmbeddingRequest
  readonly context: { readonly model: string; readonly inputTokensCounted: number }
}

/**
 * Reads a whole response and writes the caller's response: the same bytes if both use the same format. Never
 * throws.
 */
export function readVectors(bytes: Buffer, rules: VectorRules): ChatAnswer {
  const { asked, endpoint, vectors: wanted } = rules
  const read = readBody(bytes, rules)
  if (read.type === 'error') return failed(bytes, read.error)
  const { vectors } = read
  const reading = {
    usage: vectors.usage,
    finish: undefined,
    outputTokensCounted: 0,
    hasOutput: true,
    isComplete: true,
    error: undefined,
  }
  if (asked === endpoint || wanted === undefined) return { bytes, reading }
  if (vectors.vectors.length !== wanted.texts.length) return failed(bytes, badBody('bad_response_body'))
  const written = vectorDialects[asked].writeAnswer(vectors, { ...rules.context, wanted })
  return { bytes: Buffer.from(JSON.stringify(written)), reading }
}

function readBody(bytes: Buffer, rules: VectorRules): ReadVectors {
  const { endpoint, readUsage, errorInside, adjustAnswer } = rules
  const body = parseObject(bytes)
  if (body === undefined)
    return { type: 'error', error: badBody(bytes.length === 0 ? 'empty_response' : 'bad_response_body') }
  const words = errorInside?.(body)
  if (words !== undefined) return { type: 'error', error: insideError(words) }
  return vectorDialects[endpoint].readAnswer(
    adjustAnswer === undefined ? body : adjustAnswer(body),
    readUsage,
  )
}
