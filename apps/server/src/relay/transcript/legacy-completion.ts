import { type JsonObject, recordsAt } from '@tollgate/dialects/json'
import type { Message } from '@tollgate/dialects/canonical/conversation'

/** What is said in `/v1/completions`: a prompt, or several of them, and the text that goes on after the first. */

/** Prompts in numbers of tokens say nothing to a person. */
export function promptsOf({ prompt }: JsonObject): readonly Message[] {
  const prompts: readonly unknown[] = Array.isArray(prompt) ? prompt : [prompt]
  return prompts
    .filter((text) => typeof text === 'string')
    .map((text) => ({ role: 'user', parts: [{ type: 'text', text }] }))
}

/** Of a whole answer or of a frame of one. */
export function completionText(answer: JsonObject | undefined): string {
  const first = recordsAt(answer ?? {}, 'choices').find(({ index = 0 }) => index === 0)
  return typeof first?.['text'] === 'string' ? first['text'] : ''
}
