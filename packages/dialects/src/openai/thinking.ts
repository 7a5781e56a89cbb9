import { isRecord, textAt, type JsonObject } from '../json.ts'

const OPENING = '<think>\n'
const CLOSING = '\n</think>\n'

/** Returns the reasoning text of a message or a delta, under either of its names. */
export function reasoningOf(message: JsonObject): string | undefined {
  return textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning')
}

/** Merges the reasoning of a whole response into its content. */
export function thinkingIntoAnswer(answer: JsonObject): JsonObject {
  return mapChoices(answer, (choice) => {
    const message = choice['message']
    const reasoning = isRecord(message) ? reasoningOf(message) : undefined
    if (!isRecord(message) || reasoning === undefined) return choice
    const content = `${OPENING}${reasoning}${CLOSING}${textAt(message, 'content') ?? ''}`
    return { ...choice, message: { ...withoutReasoning(message), content } }
  })
}

/**
 * Merges reasoning into the content of stream chunks, separately for each choice. The `</think>` tag is
 * written before the first content that follows the reasoning.
 */
export class ThinkingMerge {
  readonly #open = new Set<unknown>()

  apply(chunk: JsonObject): JsonObject {
    return mapChoices(chunk, (choice) => {
      const delta = choice['delta']
      if (!isRecord(delta)) return choice
      const content = this.#merge(choice, delta)
      return content === undefined ? choice : { ...choice, delta: { ...withoutReasoning(delta), content } }
    })
  }

  #merge(choice: JsonObject, delta: JsonObject): string | undefined {
    const index = choice['index'] ?? 0
    const reasoning = reasoningOf(delta)
    const content = textAt(delta, 'content')
    let merged = ''
    if (reasoning !== undefined) {
      merged += this.#open.has(index) ? reasoning : OPENING + reasoning
      this.#open.add(index)
    }
    const isFollowed =
      content !== undefined ||
      Array.isArray(delta['tool_calls']) ||
      (choice['finish_reason'] ?? undefined) !== undefined
    if (isFollowed && this.#open.delete(index)) merged += CLOSING
    return merged === '' ? undefined : merged + (content ?? '')
  }
}

function withoutReasoning(message: JsonObject): JsonObject {
  const { reasoning_content: _content, reasoning: _reasoning, ...rest } = message
  return rest
}

/** Returns the same object if no choice changed. */
function mapChoices(answer: JsonObject, change: (choice: JsonObject) => JsonObject): JsonObject {
  const choices: unknown = answer['choices']
  if (!Array.isArray(choices)) return answer
  const changed = choices.map((choice: unknown) => (isRecord(choice) ? change(choice) : choice))
  return changed.some((choice, at) => choice !== choices[at]) ? { ...answer, choices: changed } : answer
}
