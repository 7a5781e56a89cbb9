import { defaultGeminiOptions } from '../gemini-options.ts'
import type { RequestQuirk } from '../provider.ts'
import { configOf } from './gemini-thinking.ts'

/** Chat models that generate images need `responseModalities`, which clients of other APIs cannot set. */
export const geminiImageOutput: RequestQuirk = (outgoing) => {
  const { gemini = defaultGeminiOptions, model, body, isConverted = false } = outgoing
  if (!isConverted || !gemini.drawingModels.includes(model)) return outgoing
  const { name, value } = configOf(body)
  if (value['responseModalities'] !== undefined) return outgoing
  return { ...outgoing, body: { ...body, [name]: { ...value, responseModalities: ['TEXT', 'IMAGE'] } } }
}
