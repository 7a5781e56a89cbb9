import { isRecord, type JsonObject } from '../../json.ts'

/** Separates texts that were pieces of one message. */
export const BETWEEN_TEXTS = '\n\n'

/**
 * Replaces a content list that consists only of texts by a single string. Many servers, DeepSeek's among
 * them, do not accept a list: "invalid type: sequence, expected a string"
 * (https://github.com/QwenLM/qwen-code/issues/2320).
 */
export function withJoinedTexts(message: JsonObject): JsonObject {
  const { content } = message
  const joined = Array.isArray(content) ? joinedTexts(content) : undefined
  return joined === undefined ? message : { ...message, content: joined }
}

/** Returns `undefined` if the list contains anything but texts. */
function joinedTexts(parts: readonly unknown[]): string | undefined {
  const texts: string[] = []
  for (const part of parts) {
    if (!isRecord(part) || part['type'] !== 'text' || typeof part['text'] !== 'string') return undefined
    if (part['text'] !== '') texts.push(part['text'])
  }
  return texts.join(BETWEEN_TEXTS)
}
