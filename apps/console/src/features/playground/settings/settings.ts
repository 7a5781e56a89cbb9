import * as z from 'zod/mini'

/** The slider of the temperature, and what stands for "the model's own default". */
export const temperatureRange = { min: 0.1, max: 1, step: 0.1, modelDefault: 0 } as const
export const MAX_TOKENS_MAX = 1_000_000
export const SYSTEM_PROMPT_CHARACTERS_MAX = 32_000

const settingsSchema = z.object({
  model: z.catch(z.string().check(z.maxLength(255)), 'gpt-4o-mini'),
  group: z.catch(z.string().check(z.maxLength(64)), ''),
  temperature: z.catch(
    z.number().check(z.minimum(0), z.maximum(temperatureRange.max)),
    temperatureRange.modelDefault,
  ),
  /** 0: as much as the model gives. */
  maxTokens: z.catch(z.int().check(z.minimum(0), z.maximum(MAX_TOKENS_MAX)), 0),
  systemPrompt: z.catch(z.optional(z.string().check(z.maxLength(SYSTEM_PROMPT_CHARACTERS_MAX))), undefined),
  reconnects: z.catch(z.boolean(), false),
})

export interface PlaygroundSettings {
  readonly model: string
  readonly group: string
  readonly temperature: number
  readonly maxTokens: number
  readonly systemPrompt: string
  /** When the connection breaks in the middle, the answer is asked for again. */
  readonly reconnects: boolean
}

/** Whatever the browser kept, made whole; `defaultSystemPrompt` is in the reader's language and used until it is changed. */
export function readSettings(stored: unknown, defaultSystemPrompt: string): PlaygroundSettings {
  const { systemPrompt, ...settings } = settingsSchema.parse(isObject(stored) ? stored : {})
  return { ...settings, systemPrompt: systemPrompt ?? defaultSystemPrompt }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
