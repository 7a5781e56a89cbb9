import type { Operation } from '../operation.ts'
import { imageTranscript } from '../../transcript/media-text.ts'

/** https://platform.openai.com/docs/api-reference/images/create */
export const images: Operation = {
  name: 'images',
  wire: 'images',
  paths: [{ path: '/v1/images/generations', defaults: { defaultModel: 'dall-e' } }],
  sizes: 'pictures',
  buckets: ['inputImage', 'outputImage'],
  sink: 'pictures',
  transcript: imageTranscript,
}
