import { type JsonObject, recordsAt } from '@tollgate/dialects/json'
import type { Message } from '@tollgate/dialects/canonical/conversation'

/** The text of `/v1/completions`: one or several prompts, and the continuation of the first. */

/** Prompts given as token numbers are skipped, because people cannot read them. */
export function promptsOf({ prompt }: JsonObject): readonly Message[] {
  const prompts: readonly unknown[] = Array.isArray(prompt) ? prompt : [prompt]
  return prompts
    .filter((text) => typeof text === 'string')
    .map((text) => ({ role: 'user', parts: [{ type: 'text', text }] }))
}

/** The text of a whole response or of one frame. */
export function completionText(answer: JsonObject | undefined): string {
  const first = recordsAt(answer ?? {}, 'choices').find(({ index = 0 }) => index === 0)
  return typeof first?.['text'] === 'string' ? first['text'] : ''
}
