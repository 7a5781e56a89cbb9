import type { Operation } from '../operation.ts'
import { audioTranscript } from '../../transcript/media-text.ts'

/** https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const translations: Operation = {
  name: 'translations',
  wire: 'translations',
  paths: [{ path: '/v1/audio/translations', defaults: { defaultModel: 'whisper-1' } }],
  form: { wire: 'translations' },
  sizes: 'transcript',
  buckets: ['inputAudio'],
  transcript: audioTranscript,
}
