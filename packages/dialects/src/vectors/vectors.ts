import type { UpstreamError, UsageReader } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { Usage } from '../usage.ts'

/** An embedding request in a vendor-neutral form. */
export interface EmbeddingRequest {
  readonly texts: readonly string[]
  readonly dimensions?: number
  /** Encoding of the numbers in the response. */
  readonly encoding: 'numbers' | 'base64'
  /** Whether the response is a list; Gemini also has requests for a single text. */
  readonly isList: boolean
}

export interface Vectors {
  /** In the order of the texts. */
  readonly vectors: readonly (readonly number[])[]
  readonly usage: Usage | undefined
}

export type ReadVectors =
  | { readonly type: 'vectors'; readonly vectors: Vectors }
  | { readonly type: 'error'; readonly error: UpstreamError }

/** One wire format for embeddings, for callers and upstreams. All of it is pure and synchronous. */
export interface VectorDialect {
  /** Throws a problem for a request that no other format can express. */
  readWanted(body: JsonObject): EmbeddingRequest
  writeRequest(wanted: EmbeddingRequest, model: string): JsonObject
  /** Reads a complete, parsed response with a 2xx status. Never throws. */
  readAnswer(body: JsonObject, readUsage: UsageReader): ReadVectors
  writeAnswer(vectors: Vectors, context: VectorContext): JsonObject
}

export interface VectorContext {
  readonly wanted: EmbeddingRequest
  /** The model name as the caller requested it. */
  readonly model: string
  /** Input tokens counted locally, for upstreams that report no usage. */
  readonly inputTokensCounted: number
}
