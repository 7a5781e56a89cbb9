import { z } from 'zod'
import { exactOf } from '../receipt/exact.ts'

/**
 * Readers for the JSON of a log row. It was written by this gateway, an older one or another of the family, so that
 * each field stands alone: one that is missing or damaged is `undefined` and spoils nothing else.
 */
export const looseNumber = z.number().optional().catch(undefined)
export const looseText = z.string().min(1).optional().catch(undefined)
export const looseFlag = z.boolean().catch(false)
export const looseCount = z.int().nonnegative().catch(0)

/** A ratio or price: a JSON number or decimal text, read exactly. */
export const looseDecimal = z
  .unknown()
  .optional()
  .transform((value) => exactOf(value))

/** Channel ids as the family writes them, numbers as text. */
export const looseIds = z
  .array(z.union([z.string(), z.number()]).transform(String))
  .nullish()
  .transform((ids) => ids ?? [])
  .catch([])

/** Texts of a logged conversation come as text, as parts or as messages; they are shown, never interpreted. */
export const looseContent = z
  .unknown()
  .optional()
  .transform((value) => {
    if (value === undefined || value === null || value === '') return undefined
    return messagesIn(value) ?? (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
  })

const message = z.object({ role: z.string(), content: z.string() })
const messages = z.array(message).min(1)

/** Plain messages as a conversation is read. */
function messagesIn(value: unknown): string | undefined {
  const one = message.safeParse(value)
  if (one.success) return one.data.content
  const several = messages.safeParse(value)
  return several.data?.map(({ role, content }) => `${role}: ${content}`).join('\n')
}

/** The object in a text; an empty one for "", `null` and what is no JSON. */
export function parseObject(text: string): object {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    // A damaged text tells nothing; the row itself still does.
    return {}
  }
}
