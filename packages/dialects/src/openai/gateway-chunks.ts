import { parseObject } from '../json.ts'
import { finishChunk, frame, usageChunk, usageObject, type ChunkHead } from './chunks.ts'

/**
 * Maximum bytes kept of the first chunk. A longer chunk is cut and cannot be parsed, so default values are
 * used instead of its time and model.
 */
const HEAD_BYTES_MAX = 4096

/** The id is the first member, or one of the first. A pattern costs less than parsing the chunk. */
const ID = /"id":\s?"([\w.:/-]{1,128})"/
const MODEL = /"model":\s?"([^"\\]{1,256})"/
const FOUND_WITHIN_BYTES = 512
/** Some upstreams begin with a chunk of their own. */
const NAMED_WITHIN_CHUNKS = 4

/**
 * Creates the gateway's own chunks within an upstream's stream. They carry the id, the time and the model of
 * its first chunk.
 */
export class GatewayChunks {
  readonly #object: string
  #first: Buffer | undefined
  /** The id of the first chunk. */
  replyId: string | undefined
  #noted = 0
  /** The model that the first chunks name. */
  model: string | undefined

  constructor(operation: 'chat' | 'completions') {
    this.#object = operation === 'chat' ? 'chat.completion.chunk' : 'text_completion'
  }

  /** `payload`: a chunk, or the beginning of one. Copies what it needs, so that no chunk is kept in memory. */
  note(payload: Buffer): void {
    if (this.model === undefined && this.#noted < NAMED_WITHIN_CHUNKS) this.#noteModel(payload)
    if (this.#first !== undefined) return
    this.#first = Buffer.from(payload.subarray(0, HEAD_BYTES_MAX))
    this.replyId = ID.exec(this.#first.toString('latin1', 0, FOUND_WITHIN_BYTES))?.[1]
  }

  #noteModel(payload: Buffer): void {
    this.#noted++
    this.model = MODEL.exec(payload.toString('utf8', 0, FOUND_WITHIN_BYTES))?.[1]
  }

  finish(index: number, reason: string): Buffer {
    return frame(finishChunk(this.#head(), index, reason))
  }

  usage(counts: { readonly input: number; readonly output: number }): Buffer {
    return frame(usageChunk(this.#head(), usageObject(counts)))
  }

  #head(): ChunkHead {
    const first = this.#first === undefined ? {} : (parseObject(this.#first) ?? {})
    return {
      id: typeof first['id'] === 'string' ? first['id'] : (this.replyId ?? 'chatcmpl-0'),
      object: this.#object,
      created: typeof first['created'] === 'number' ? first['created'] : 0,
      model: typeof first['model'] === 'string' ? first['model'] : '',
    }
  }
}
