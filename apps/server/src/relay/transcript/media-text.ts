import type { Frame } from '@tollgate/dialects/canonical/codec'
import type { Message } from '@tollgate/dialects/canonical/conversation'
import { type JsonObject, parseObject, recordsAt, textAt } from '@tollgate/dialects/json'
import type { TranscriptReader } from './transcript-reader.ts'

/**
 * The text of calls that generate, edit, speak or transcribe media: prompts and transcripts. Media themselves
 * are not included.
 */

/** A response contains the prompt as the model revised it. */
export const imageTranscript = mediaTranscript('prompt', (bytes) =>
  recordsAt(parseObject(bytes) ?? {}, 'data')
    .map((picture) => textAt(picture, 'revised_prompt') ?? '')
    .filter((text) => text !== '')
    .join('\n'),
)

export const speechTranscript = mediaTranscript('input', () => '')

/** A response is the transcript, in JSON or in any format of its own. */
export const audioTranscript = mediaTranscript('prompt', (bytes) => {
  const answer = parseObject(bytes)
  return answer === undefined ? bytes.toString() : (textAt(answer, 'text') ?? '')
})

function mediaTranscript(member: 'prompt' | 'input', answer: (bytes: Buffer) => string): TranscriptReader {
  return {
    messages: ({ body }) => [...message('system', body, 'instructions'), ...message('user', body, member)],
    answer,
    openStream: () => textOfFrame,
  }
}

function message(role: Message['role'], body: JsonObject, member: string): readonly Message[] {
  const text = textAt(body, member)
  return text === undefined ? [] : [{ role, parts: [{ type: 'text', text }] }]
}

/** The last event of a transcript repeats the whole text, so it is only read if nothing came before. */
function textOfFrame({ data }: Frame, before: string): string {
  const event = parseObject(data) ?? {}
  const type = textAt(event, 'type')
  if (type === 'transcript.text.delta') return textAt(event, 'delta') ?? ''
  return type === 'transcript.text.done' && before === '' ? (textAt(event, 'text') ?? '') : ''
}
