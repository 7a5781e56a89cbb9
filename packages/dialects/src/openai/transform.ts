import type { JsonObject } from '../json.ts'
import { forceFormat } from './force-format.ts'
import { ThinkingMerge } from './thinking.ts'

/** A vendor's chunks made the dialect's own. */
export interface ChunkAdjustment {
  /** Only chunks that hold one of these texts need it; the others keep their bytes. Absent = all. */
  readonly marks?: readonly string[]
  readonly apply: (chunk: Record<string, unknown>) => Record<string, unknown>
}

export interface TransformOptions {
  readonly adjustChunk?: ChunkAdjustment
  /** Merges reasoning into content between `<think>` marks. */
  readonly thinkingToContent?: boolean
  /** Rebuilds each chunk from the fields the dialect knows. */
  readonly forceFormat?: boolean
}

export type Transform = (chunk: Record<string, unknown>, payload: Buffer) => JsonObject

/** `undefined` for most channels. Answers the very chunk when there is nothing to change. */
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
