import type { RequestQuirk } from '../provider.ts'
import { isTold, onBody } from './body.ts'

const thresholds = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map(
  (category) => ({
    category: `HARM_CATEGORY_${category}`,
    threshold: 'BLOCK_NONE',
  }),
)

/** Callers of other dialects cannot choose thresholds, so nothing is blocked that they did not ask to block. */
export const geminiSafety: RequestQuirk = onBody((body) =>
  isTold(body, 'safetySettings') || isTold(body, 'safety_settings')
    ? body
    : { ...body, safetySettings: thresholds },
)
