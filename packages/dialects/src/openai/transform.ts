import type { JsonObject } from '../json.ts'
import { forceFormat } from './force-format.ts'
import { ThinkingMerge } from './thinking.ts'

/** A vendor's chunks made the dialect's own. */
export interface ChunkAdjustment {
  /** Only chunks that hold this text need it; the others keep their bytes. Absent = all. */
  readonly mark?: string
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
  const mark = adjustChunk?.mark === undefined ? undefined : Buffer.from(adjustChunk.mark)
  const thinking = thinkingToContent ? new ThinkingMerge() : undefined
  return (chunk, payload) => {
    const isAdjusted = adjustChunk !== undefined && (mark === undefined || payload.includes(mark))
    let changed: JsonObject = isAdjusted ? adjustChunk.apply(chunk) : chunk
    if (thinking !== undefined) changed = thinking.apply(changed)
    return isForced ? forceFormat(changed, 'chunk') : changed
  }
}
