import type { Message } from '@tollgate/dialects/canonical/conversation'
import { type JsonObject, parseObject, recordsAt, textAt } from '@tollgate/dialects/json'
import { isImageOperation, isTranscript, type MediaOperation } from '@tollgate/dialects/media/operation'

/**
 * The text of calls that generate, edit, speak or transcribe media: prompts and transcripts. Media themselves
 * are not included.
 */

export function mediaQuestion(operation: MediaOperation, body: JsonObject): readonly Message[] {
  const said = textAt(body, operation === 'speech' ? 'input' : 'prompt')
  const manner = textAt(body, 'instructions')
  return [
    ...(manner === undefined ? [] : [message('system', manner)]),
    ...(said === undefined ? [] : [message('user', said)]),
  ]
}

function message(role: Message['role'], text: string): Message {
  return { role, parts: [{ type: 'text', text }] }
}

/** The text of a whole response: a transcript in any format, or the revised prompt of an image. */
export function mediaAnswer(operation: MediaOperation, bytes: Buffer): string {
  const answer = parseObject(bytes)
  if (isTranscript(operation)) return answer === undefined ? bytes.toString() : (textAt(answer, 'text') ?? '')
  if (!isImageOperation(operation)) return ''
  const prompts = recordsAt(answer ?? {}, 'data').map((picture) => textAt(picture, 'revised_prompt') ?? '')
  return prompts.filter((text) => text !== '').join('\n')
}

/**
 * The text of one stream event. `before` is the text so far; it is needed because the last event of a
 * transcript repeats the whole text.
 */
export function mediaEventText(event: JsonObject | undefined, before: string): string {
  const type = textAt(event ?? {}, 'type')
  if (type === 'transcript.text.delta') return textAt(event ?? {}, 'delta') ?? ''
  return type === 'transcript.text.done' && before === '' ? (textAt(event ?? {}, 'text') ?? '') : ''
}
