import { defaultGeminiOptions, safetySettings } from '../gemini-options.ts'
import type { RequestQuirk } from '../provider.ts'
import { isTold } from './body.ts'

/**
 * Clients of other APIs cannot set safety thresholds, so the operator's are added. Clients of the Gemini API
 * can, so their requests stay unchanged.
 */
export const geminiSafety: RequestQuirk = (outgoing) => {
  const { body, isConverted = false, gemini = defaultGeminiOptions } = outgoing
  const isChosen = isTold(body, 'safetySettings') || isTold(body, 'safety_settings')
  if (isChosen || !isConverted) return outgoing
  return { ...outgoing, body: { ...body, safetySettings: safetySettings(gemini) } }
}
