import type { JsonObject } from '../json.ts'
import { forceFormat } from './force-format.ts'
import { ThinkingMerge } from './thinking.ts'

/** Converts a vendor's chunks to the official format. */
export interface ChunkAdjustment {
  /**
   * Only chunks that contain one of these texts need the adjustment; the others keep their bytes. Absent =
   * all chunks do.
   */
  readonly marks?: readonly string[]
  readonly apply: (chunk: Record<string, unknown>) => Record<string, unknown>
}

export interface TransformOptions {
  readonly adjustChunk?: ChunkAdjustment
  /** Merges reasoning into the content between `<think>` tags. */
  readonly thinkingToContent?: boolean
  /** Rebuilds each chunk from the members that OpenAI defines. */
  readonly forceFormat?: boolean
}

export type Transform = (chunk: Record<string, unknown>, payload: Buffer) => JsonObject

/**
 * Returns `undefined` for most channels. The transform returns the same chunk if there is nothing to change.
 */
export function transformOf(options: TransformOptions): Transform | undefined {
  const { adjustChunk, thinkingToContent = false, forceFormat: isForced = false } = options
  if (adjustChunk === undefined && !thinkingToContent && !isForced) return undefined
  const marks = adjustChunk?.marks?.map((mark) => Buffer.from(mark))
  const thinking = thinkingToContent ? new ThinkingMerge() : undefined
  return (chunk, payload) => {
    const isMarked = marks === undefined || marks.some((mark) => payload.includes(mark))
    let changed: JsonObject = adjustChunk !== undefined && isMarked ? adjustChunk.apply(chunk) : chunk
    if (thinking !== undefined) changed = thinking.apply(changed)
    return isForced ? forceFormat(changed, 'chunk') : changed
  }
}
