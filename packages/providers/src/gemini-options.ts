import { ownValue } from '@tollgate/kit/own-value'

/** The operator's settings for Gemini models, on every channel. Source: the option keys `gemini.*`. */
export interface GeminiOptions {
  /** Safety thresholds by category; `default` applies to the documented categories that are not listed. */
  readonly safety: Readonly<Record<string, string>>
  /** API versions by upstream model name; `default` is for all other models. */
  readonly versions: Readonly<Record<string, string>>
  /** Upstream names of chat models that generate images in conversations. */
  readonly drawingModels: readonly string[]
  /** Whether the suffixes `-thinking`, `-nothinking` and effort levels of the model name control thinking. */
  readonly hasThinkingSuffix: boolean
  /** The share of the output limit that becomes the thinking budget when the model name turns on thinking. */
  readonly thinkingShare: number
  /** Upstream names of models that return their thoughts without a request for them. */
  readonly thinkingModels: readonly string[]
}

export const defaultGeminiOptions: GeminiOptions = {
  safety: {
    default: 'OFF',
    HARM_CATEGORY_HARASSMENT: 'BLOCK_NONE',
    HARM_CATEGORY_HATE_SPEECH: 'BLOCK_NONE',
    HARM_CATEGORY_SEXUALLY_EXPLICIT: 'BLOCK_NONE',
    HARM_CATEGORY_DANGEROUS_CONTENT: 'BLOCK_NONE',
  },
  versions: { default: 'v1beta' },
  drawingModels: [],
  hasThinkingSuffix: false,
  thinkingShare: 0.6,
  thinkingModels: [],
}

const CATEGORIES = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map(
  (category) => `HARM_CATEGORY_${category}`,
)

export interface SafetySetting {
  readonly category: string
  readonly threshold: string
}

/** Returns settings for the documented categories and for any further ones that the operator listed. */
export function safetySettings({ safety }: GeminiOptions): readonly SafetySetting[] {
  const { default: byDefault = 'OFF', ...named } = safety
  const categories = [...new Set([...CATEGORIES, ...Object.keys(named)])]
  return categories.map((category) => ({ category, threshold: named[category] ?? byDefault }))
}

export function versionFor({ versions }: GeminiOptions, model: string): string {
  return ownValue(versions, model) ?? versions['default'] ?? 'v1beta'
}
