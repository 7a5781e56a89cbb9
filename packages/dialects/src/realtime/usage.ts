import { recordAt, type JsonObject } from '../json.ts'
import { readOpenAiUsage } from '../openai-usage.ts'
import { noUsage, type Usage } from '../usage.ts'

/**
 * Reads the usage of one response of a session. Cached audio is reported both as cached and as audio; it is
 * counted once. https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
 */
export function readTurnUsage(response: JsonObject): Usage | undefined {
  const usage = readOpenAiUsage(response)
  if (usage === undefined) return undefined
  const details = recordAt(recordAt(response, 'usage') ?? {}, 'input_token_details') ?? {}
  const cached = recordAt(details, 'cached_tokens_details')
  if (cached === undefined) return usage
  const fresh = usage.inputText + usage.inputAudio + usage.inputImage
  const inputAudio = Math.min(fresh, less(details['audio_tokens'], cached['audio_tokens']))
  const inputImage = Math.min(fresh - inputAudio, less(details['image_tokens'], cached['image_tokens']))
  return { ...usage, inputAudio, inputImage, inputText: fresh - inputAudio - inputImage }
}

/** Tokens per minute of input audio: 100 tokens for 0.06 minutes. */
export const AUDIO_TOKENS_PER_MINUTE = 100 / 0.06
const SECONDS_MAX = 24 * 3600

/**
 * Reads the usage of one transcript: in tokens or in seconds of audio, depending on the transcription model.
 * https://platform.openai.com/docs/api-reference/realtime-server-events/conversation/item/input_audio_transcription/completed
 */
export function readTranscriptUsage(event: JsonObject): Usage | undefined {
  const { seconds } = recordAt(event, 'usage') ?? {}
  if (typeof seconds !== 'number') return readTurnUsage(event)
  if (!(seconds > 0 && seconds <= SECONDS_MAX)) return undefined
  return { ...noUsage, inputAudio: Math.ceil((seconds / 60) * AUDIO_TOKENS_PER_MINUTE) }
}

function less(all: unknown, cached: unknown): number {
  return Math.max(0, count(all) - count(cached))
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
