import { textAt, type JsonObject } from '@tollgate/dialects/json'
import type { ChunkAdjustment } from '@tollgate/dialects/openai/transform'
import { mapChoiceMessages } from './choices.ts'

/** Vendors who call it `reasoning`: clients of the dialect look for `reasoning_content`, so it is told under both names. */
export const mirrorReasoning: ChunkAdjustment = {
  marks: ['"reasoning"'],
  apply: (answer) => mapChoiceMessages(answer, mirrored),
}

function mirrored(message: JsonObject): JsonObject {
  const reasoning = textAt(message, 'reasoning')
  const isMissing = reasoning !== undefined && textAt(message, 'reasoning_content') === undefined
  return isMissing ? { ...message, reasoning_content: reasoning } : message
}
