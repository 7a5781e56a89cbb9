import * as z from 'zod/mini'
import { exactOf } from '../receipt/exact.ts'

/**
 * Readers for the JSON of a log row. It was written by this gateway, an older one or another of the family, so that
 * each field stands alone: one that is missing or damaged is `undefined` and spoils nothing else.
 */
export function loose<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.optional(schema), undefined)
}

export const count = z.int().check(z.nonnegative())
export const looseNumber = loose(z.number())
export const looseText = loose(z.string().check(z.minLength(1)))
export const looseFlag = z.catch(z.boolean(), false)
export const looseCount = z.catch(count, 0)
export const looseTexts = z.catch(z.array(z.string()), [])

/** A ratio or price: a JSON number or decimal text, read exactly. */
export const looseDecimal = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => exactOf(value)),
)

/** Channel ids as the family writes them, numbers as text. */
export const looseIds = z.catch(
  z.pipe(
    z.nullish(z.array(z.union([z.string(), z.number()]))),
    z.transform((ids) => (ids ?? []).map(String)),
  ),
  [],
)

/** Texts of a logged conversation come as text, as parts or as messages; they are shown, never interpreted. */
export const looseContent = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => {
    if (value === undefined || value === null || value === '') return undefined
    return messagesIn(value) ?? (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
  }),
)

const message = z.object({ role: z.string(), content: z.string() })
const messages = z.array(message).check(z.minLength(1))

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
