import type { Message } from '@tollgate/dialects/canonical/conversation'
import { type JsonObject, parseObject, recordsAt, textAt } from '@tollgate/dialects/json'
import { isImageOperation, isTranscript, type MediaOperation } from '@tollgate/dialects/media/operation'

/** What is said in calls that make, change, speak or hear media: prompts, and what was understood. No media themselves. */

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

/** Of a whole answer: a transcript in any of its forms, or what was made of a prompt before it was drawn. */
export function mediaAnswer(operation: MediaOperation, bytes: Buffer): string {
  const answer = parseObject(bytes)
  if (isTranscript(operation)) return answer === undefined ? bytes.toString() : (textAt(answer, 'text') ?? '')
  if (!isImageOperation(operation)) return ''
  const prompts = recordsAt(answer ?? {}, 'data').map((picture) => textAt(picture, 'revised_prompt') ?? '')
  return prompts.filter((text) => text !== '').join('\n')
}

/** Of one event of a stream; `before` is what was heard so far: the last event of a transcript has it all once more. */
export function mediaEventText(event: JsonObject | undefined, before: string): string {
  const type = textAt(event ?? {}, 'type')
  if (type === 'transcript.text.delta') return textAt(event ?? {}, 'delta') ?? ''
  return type === 'transcript.text.done' && before === '' ? (textAt(event ?? {}, 'text') ?? '') : ''
}
