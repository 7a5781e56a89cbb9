/** What an operator settles for Gemini models, on every channel. Source: the option keys `gemini.*`. */
export interface GeminiOptions {
  /** Thresholds by category; `default` for the four documented ones that are not named. */
  readonly safety: Readonly<Record<string, string>>
  /** Versions of the API by the upstream's name of a model; `default` for all others. */
  readonly versions: Readonly<Record<string, string>>
  /** By the upstream's names: models that draw when they are asked to talk. */
  readonly drawingModels: readonly string[]
  /** Whether `-thinking`, `-nothinking` and levels behind a model's name are wishes. */
  readonly hasThinkingSuffix: boolean
  /** Of the limit on output, for a model that is asked to think by its name. */
  readonly thinkingShare: number
  /** By the upstream's names: models that show their thoughts without being asked. */
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

/** The documented categories, and whatever else the operator named. */
export function safetySettings({ safety }: GeminiOptions): readonly SafetySetting[] {
  const { default: byDefault = 'OFF', ...named } = safety
  const categories = [...new Set([...CATEGORIES, ...Object.keys(named)])]
  return categories.map((category) => ({ category, threshold: named[category] ?? byDefault }))
}

export function versionFor({ versions }: GeminiOptions, model: string): string {
  const own = Object.hasOwn(versions, model) ? versions[model] : undefined
  return own ?? versions['default'] ?? 'v1beta'
}
