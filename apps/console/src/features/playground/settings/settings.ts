import { isRecord } from '@tollgate/kit/json'
import * as z from 'zod/mini'

/** The range of the temperature slider, and the value that stands for "the model's own default". */
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
  /** 0 means the model's own maximum. */
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
  /** If the connection breaks in the middle of an answer, the request is sent again. */
  readonly reconnects: boolean
}

/**
 * Reads the stored settings and replaces what is missing or invalid by defaults. `defaultSystemPrompt` is in
 * the reader's language and applies until the reader changes the prompt.
 */
export function readSettings(stored: unknown, defaultSystemPrompt: string): PlaygroundSettings {
  const { systemPrompt, ...settings } = settingsSchema.parse(isRecord(stored) ? stored : {})
  return { ...settings, systemPrompt: systemPrompt ?? defaultSystemPrompt }
}
