import type { UpstreamError, UsageReader } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { Usage } from '../usage.ts'

/** What a caller asks of an embedding model, in no vendor's words. */
export interface VectorsWanted {
  readonly texts: readonly string[]
  readonly dimensions?: number
  /** How the caller wants the numbers written. */
  readonly encoding: 'numbers' | 'base64'
  /** Whether the answer is a list, in the dialect where one text may come alone. */
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

/** One wire format of embeddings, both halves. All of it is pure and synchronous. */
export interface VectorDialect {
  /** Throws a problem for what cannot be told in another format. */
  readWanted(body: JsonObject): VectorsWanted
  writeRequest(wanted: VectorsWanted, model: string): JsonObject
  /** A whole answer with a 2xx status, parsed. Never throws. */
  readAnswer(body: JsonObject, readUsage: UsageReader): ReadVectors
  writeAnswer(vectors: Vectors, context: VectorContext): JsonObject
}

export interface VectorContext {
  readonly wanted: VectorsWanted
  /** As the caller asked for it. */
  readonly model: string
  /** Counted locally, for upstreams that tell no usage. */
  readonly inputTokensCounted: number
}
