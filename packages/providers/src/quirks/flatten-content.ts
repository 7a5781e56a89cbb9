import { isRecord, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { ChunkAdjustment } from '@tollgate/dialects/openai/transform'
import { mapChoiceMessages } from './choices.ts'

/**
 * Magistral models return the content as a list of parts, including thinking; it is flattened to texts.
 * https://docs.mistral.ai/capabilities/reasoning
 */
export const flattenContent: ChunkAdjustment = {
  marks: ['"type":'],
  apply: (answer) => mapChoiceMessages(answer, flattened),
}

function flattened(message: JsonObject): JsonObject {
  const parts: unknown = message['content']
  if (!Array.isArray(parts)) return message
  let content = ''
  let reasoning = ''
  for (const part of parts.filter(isRecord)) {
    if (part['type'] === 'thinking') reasoning += recordsAt(part, 'thinking').map(textOf).join('')
    else content += textOf(part)
  }
  return reasoning === '' ? { ...message, content } : { ...message, content, reasoning_content: reasoning }
}

function textOf(part: JsonObject): string {
  return textAt(part, 'text') ?? ''
}
