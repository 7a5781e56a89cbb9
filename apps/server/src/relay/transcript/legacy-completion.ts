import { type JsonObject, parseObject, recordsAt } from '@tollgate/dialects/json'
import type { TranscriptReader } from './transcript-reader.ts'

/** Reads the text of `/v1/completions`: one or several prompts, and the continuation of the first. */
export const completionTranscript: TranscriptReader = {
  /** Prompts given as token numbers are skipped, because people cannot read them. */
  messages: ({ body: { prompt } }) => {
    const prompts: readonly unknown[] = Array.isArray(prompt) ? prompt : [prompt]
    return prompts
      .filter((text) => typeof text === 'string')
      .map((text) => ({ role: 'user', parts: [{ type: 'text', text }] }))
  },
  answer: (bytes) => firstChoice(parseObject(bytes)),
  openStream: () => (frame) => firstChoice(parseObject(frame.data)),
}

/** The text of a whole response or of one frame. */
function firstChoice(answer: JsonObject | undefined): string {
  const first = recordsAt(answer ?? {}, 'choices').find(({ index = 0 }) => index === 0)
  return typeof first?.['text'] === 'string' ? first['text'] : ''
}
