import { defaultGeminiOptions, safetySettings } from '../gemini-options.ts'
import type { RequestQuirk } from '../provider.ts'
import { isTold } from './body.ts'

/** Callers of other dialects cannot choose thresholds, so the operator does; one who can keeps the vendor's own. */
export const geminiSafety: RequestQuirk = (outgoing) => {
  const { body, isConverted = false, gemini = defaultGeminiOptions } = outgoing
  const isChosen = isTold(body, 'safetySettings') || isTold(body, 'safety_settings')
  if (isChosen || !isConverted) return outgoing
  return { ...outgoing, body: { ...body, safetySettings: safetySettings(gemini) } }
}
