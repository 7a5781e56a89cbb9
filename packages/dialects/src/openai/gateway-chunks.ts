import { parseObject } from '../json.ts'
import { finishChunk, frame, usageChunk, usageObject, type ChunkHead } from './chunks.ts'

/**
 * Maximum bytes kept of the first chunk. A longer chunk is cut and cannot be parsed, so default values are
 * used instead of its id, time and model.
 */
const HEAD_BYTES_MAX = 4096

/**
 * Creates the gateway's own chunks within an upstream's stream. They carry the id, the time and the model of
 * its first chunk.
 */
export class GatewayChunks {
  readonly #object: string
  #first: Buffer | undefined

  constructor(operation: 'chat' | 'completions') {
    this.#object = operation === 'chat' ? 'chat.completion.chunk' : 'text_completion'
  }

  /** Copies what it needs, so that no chunk is kept in memory. */
  note(payload: Buffer): void {
    this.#first ??= Buffer.from(payload.subarray(0, HEAD_BYTES_MAX))
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
      id: typeof first['id'] === 'string' ? first['id'] : 'chatcmpl-0',
      object: this.#object,
      created: typeof first['created'] === 'number' ? first['created'] : 0,
      model: typeof first['model'] === 'string' ? first['model'] : '',
    }
  }
}
