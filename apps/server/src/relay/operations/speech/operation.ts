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
  probe: {
    isFor: (model) => SPEECH_MODELS.test(model),
    isCostly: true,
    body: ({ asked }) => ({ model: asked, input: 'hi', voice: 'alloy' }),
  },
}

/** Families of models that speak a text. */
const SPEECH_MODELS = /(?:^|[-/_])(?:tts|cosyvoice|fish-speech|speech-0|speech-2)(?:$|[-/_.\d])/i
