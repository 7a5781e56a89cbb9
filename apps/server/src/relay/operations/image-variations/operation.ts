import type { Operation } from '../operation.ts'
import { imageTranscript } from '../../transcript/media-text.ts'

/** https://platform.openai.com/docs/api-reference/images/createVariation */
export const imageVariations: Operation = {
  name: 'image-variations',
  wire: 'image-variations',
  paths: [{ path: '/v1/images/variations', defaults: { defaultModel: 'dall-e-2' } }],
  form: { wire: 'image-variations' },
  sizes: 'pictures',
  buckets: ['inputImage', 'outputImage'],
  sink: 'pictures',
  transcript: imageTranscript,
}
