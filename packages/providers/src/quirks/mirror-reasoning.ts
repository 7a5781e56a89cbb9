import { textAt, type JsonObject } from '@tollgate/dialects/json'
import type { ChunkAdjustment } from '@tollgate/dialects/openai/transform'
import { mapChoiceMessages } from './choices.ts'

/**
 * For vendors that name the member `reasoning`. OpenAI clients read `reasoning_content`, so both names are
 * set.
 */
export const mirrorReasoning: ChunkAdjustment = {
  marks: ['"reasoning"'],
  apply: (answer) => mapChoiceMessages(answer, mirrored),
}

function mirrored(message: JsonObject): JsonObject {
  const reasoning = textAt(message, 'reasoning')
  const isMissing = reasoning !== undefined && textAt(message, 'reasoning_content') === undefined
  return isMissing ? { ...message, reasoning_content: reasoning } : message
}
