import type { Operation } from '../operation.ts'
import { speechTranscript } from '../../transcript/media-text.ts'

/** https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speech: Operation = {
  name: 'speech',
  wire: 'speech',
  paths: [{ path: '/v1/audio/speech', defaults: { defaultModel: 'tts-1' } }],
  sizes: 'speech',
  buckets: ['outputAudio'],
  sink: 'sound',
  isOutputAudio: true,
  transcript: speechTranscript,
}
