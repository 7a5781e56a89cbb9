import type { AudioExtractor } from '@tollgate/dialects/media/answer'
import type { UsageReader } from '@tollgate/dialects/dialect'
import { isRecord, recordAt, textAt } from '@tollgate/dialects/json'
import { noUsage } from '@tollgate/dialects/usage'
import type { Body } from '../quirks/body.ts'

/**
 * Writes a speech request in the vendor's format; `metadata` may contain vendor parameters that the OpenAI
 * format lacks. https://platform.minimaxi.com/document/T2A%20V2
 */
export function asSpeech({ model, input, voice, speed, response_format: format, metadata }: Body): Body {
  return {
    // `metadata` comes first, so it can add members but not override the ones below.
    ...(isRecord(metadata) && metadata),
    model,
    text: input,
    voice_setting: { voice_id: voice, speed },
    audio_setting: { format: format ?? 'mp3' },
    // Requests the whole audio in one response, as hexadecimal digits.
    stream: false,
    output_format: 'hex',
  }
}

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
}

export const speechIn: AudioExtractor = (answer) => {
  const digits = textAt(recordAt(answer, 'data') ?? {}, 'audio')
  if (digits === undefined || !/^(?:[0-9a-f]{2})+$/i.test(digits)) return undefined
  const format = textAt(recordAt(answer, 'extra_info') ?? {}, 'audio_format') ?? 'mp3'
  return { bytes: Buffer.from(digits, 'hex'), type: TYPES[format] ?? 'application/octet-stream' }
}

export const readCharacters: UsageReader = (answer) => {
  const characters = recordAt(answer, 'extra_info')?.['usage_characters']
  const isCount = typeof characters === 'number' && Number.isSafeInteger(characters) && characters > 0
  return isCount ? { ...noUsage, inputText: characters, raw: answer['extra_info'] } : undefined
}
