import { CONTROL_CHARACTERS } from '@tollgate/contract/text'
import { isProblemCode, type Language, problem } from '@tollgate/kit/problem'
import type { z } from 'zod'
import { locales } from 'zod'

/**
 * Input as the route's schema reads it. Throws the problem that says what does not fit, and where: `quota: Too small …`.
 * No text has a NUL in it: nobody means one, and PostgreSQL cannot store it.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  language: Language,
): z.output<Schema> {
  const where = nulIn(value)
  if (where !== undefined) throw problem(CONTROL_CHARACTERS, { field: where.join('.') })
  const parsed = schema.safeParse(value, { error: WORDS[language] })
  if (parsed.success) return parsed.data
  throw problemOf(parsed.error.issues)
}

const WORDS = { en: locales.en().localeError, zh: locales.zhCN().localeError }

function problemOf(issues: readonly z.core.$ZodIssue[]): Error {
  for (const { message, path } of issues) {
    if (isProblemCode(message)) return problem(message, { field: path.join('.') })
  }
  const detail = issues.slice(0, 3).map(({ path, message }) => {
    return path.length > 0 ? `${path.join('.')}: ${message}` : message
  })
  return problem('input_invalid', { detail: detail.join('; ') })
}

/** The path to the first text with a NUL in it. */
function nulIn(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    if (name.includes('\0')) return []
    const below = nulIn(member)
    if (below !== undefined) return [name, ...below]
  }
  return undefined
}
