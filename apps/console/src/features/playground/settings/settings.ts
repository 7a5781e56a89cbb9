import { z } from 'zod'

/** The slider of the temperature, and what stands for "the model's own default". */
export const temperatureRange = { min: 0.1, max: 1, step: 0.1, modelDefault: 0 } as const
export const MAX_TOKENS_MAX = 1_000_000
export const SYSTEM_PROMPT_CHARACTERS_MAX = 32_000

const settingsSchema = z.object({
  model: z.string().max(255).catch('gpt-4o-mini'),
  group: z.string().max(64).catch(''),
  temperature: z.number().min(0).max(temperatureRange.max).catch(temperatureRange.modelDefault),
  /** 0: as much as the model gives. */
  maxTokens: z.int().min(0).max(MAX_TOKENS_MAX).catch(0),
  systemPrompt: z.string().max(SYSTEM_PROMPT_CHARACTERS_MAX).optional().catch(undefined),
  reconnects: z.boolean().catch(false),
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
