import * as z from 'zod/mini'
import { exactOf } from '../receipt/exact.ts'

/**
 * Parsers for the JSON of a log row. It may have been written by this gateway, an older version, new-api or
 * one of its forks, so each field is parsed on its own: one that is missing or invalid is `undefined` and
 * does not affect the others.
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

/** A ratio or price: a JSON number or decimal text, parsed exactly. */
export const looseDecimal = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => exactOf(value)),
)

/** Channel ids as new-api and its forks write them: text or numbers. All are read as text. */
export const looseIds = z.catch(
  z.pipe(
    z.nullish(z.array(z.union([z.string(), z.number()]))),
    z.transform((ids) => (ids ?? []).map(String)),
  ),
  [],
)

/**
 * The texts of a logged conversation may be text, parts or messages; they are only displayed, never
 * interpreted.
 */
export const looseContent = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => {
    if (value === undefined || value === null || value === '') return undefined
    return messagesIn(value) ?? (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
  }),
)

const message = z.object({ role: z.string(), content: z.string() })
const messages = z.array(message).check(z.minLength(1))

/** Formats plain messages as a readable conversation. */
function messagesIn(value: unknown): string | undefined {
  const one = message.safeParse(value)
  if (one.success) return one.data.content
  const several = messages.safeParse(value)
  return several.data?.map(({ role, content }) => `${role}: ${content}`).join('\n')
}
