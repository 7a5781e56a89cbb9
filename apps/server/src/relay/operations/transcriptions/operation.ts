import type { Operation } from '../operation.ts'
import { audioTranscript } from '../../transcript/media-text.ts'

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptions: Operation = {
  name: 'transcriptions',
  wire: 'transcriptions',
  paths: [{ path: '/v1/audio/transcriptions', defaults: { defaultModel: 'whisper-1' } }],
  form: { wire: 'transcriptions' },
  sizes: 'transcript',
  buckets: ['inputAudio'],
  transcript: audioTranscript,
}
