import { recordAt, type JsonObject } from '../json.ts'
import { readOpenAiUsage } from '../openai/usage.ts'
import type { Usage } from '../usage.ts'

/**
 * What one response of a session used. Sound that was cached is told among the cached and among the sound; it is counted
 * once. https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
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

function less(all: unknown, cached: unknown): number {
  return Math.max(0, count(all) - count(cached))
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
