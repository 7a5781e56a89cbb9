import { bearer, keyLike } from '../define/credentials.ts'
import { defineProvider } from '../define/define-provider.ts'
import { openaiImages } from '../define/openai.ts'
import { joinUrl, segment } from '../define/url.ts'
import { onBody } from '../quirks/body.ts'
import { predictionError, readPrediction, writePrediction } from './prediction.ts'

/** Image generation with a synchronous wait. https://replicate.com/docs/reference/http */
export const replicate = defineProvider({
  id: 'replicate',
  type: 56,
  label: 'Replicate',
  baseUrl: 'https://api.replicate.com',
  credentials: keyLike('r8_…'),
  authHeaders: bearer(() => ({ prefer: 'wait' })),
  endpoints: {
    images: [
      openaiImages({
        url: ({ model }, { baseUrl }) =>
          joinUrl(baseUrl, `/v1/models/${model.split('/').map(segment).join('/')}/predictions`),
        quirks: [onBody(writePrediction)],
        adjustAnswer: readPrediction,
      }),
    ],
  },
  models: ['black-forest-labs/flux-1.1-pro'],
  errorInside: predictionError,
})
