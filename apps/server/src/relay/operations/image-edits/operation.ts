import type { Operation } from '../operation.ts'
import { imageTranscript } from '../../transcript/media-text.ts'

const PATH = '/v1/images/edits'
const defaults = { defaultModel: 'dall-e-2' }

/** https://platform.openai.com/docs/api-reference/images/createEdit */
export const imageEdits: Operation = {
  name: 'image-edits',
  wire: 'image-edits',
  paths: [
    { path: PATH, defaults },
    { path: '/v1/edits', canonical: PATH, defaults },
  ],
  form: { wire: 'image-edits', orJson: true },
  sizes: 'pictures',
  buckets: ['inputImage', 'outputImage'],
  sink: 'pictures',
  transcript: imageTranscript,
}
