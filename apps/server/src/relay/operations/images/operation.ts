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
  probe: {
    isFor: (model) => PICTURE_MODELS.test(model),
    isCostly: true,
    body: ({ asked, upstream }) => ({
      model: asked,
      prompt: 'a red dot on white',
      n: 1,
      ...(upstream.startsWith('gpt-image') && { quality: 'low' }),
    }),
  },
}

/** Families of models that answer with pictures alone. */
const PICTURE_MODELS =
  /(?:^|[-/_])(?:dall-e|gpt-image|imagen|flux|seedream|kolors|cogview|stable-diffusion|sd3|sdxl|qwen-image|wanx|janus|recraft|ideogram|hunyuan-image)(?![a-z])/i
