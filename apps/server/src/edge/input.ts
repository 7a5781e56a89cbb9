import { CONTROL_CHARACTERS } from '@tollgate/contract/text'
import { isProblemCode, type Language, problem } from '@tollgate/kit/problem'
import type { z } from 'zod'
import { faultWords } from './input-words.ts'

/**
 * Input as the route's schema reads it. Throws the problem that says what does not fit, and where: `quota must be at
 * least 0`.
 * No text has a NUL in it: nobody means one, and PostgreSQL cannot store it.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  language: Language,
): z.output<Schema> {
  const where = nulIn(value)
  if (where !== undefined) throw problem(CONTROL_CHARACTERS, { field: where.join('.') })
  const parsed = schema.safeParse(value, { error: (issue) => faultWords(issue)[language] })
  if (parsed.success) return parsed.data
  throw problemOf(parsed.error.issues, language)
}

const FAULTS_MAX = 3

/** What is faulty when it is no single field. */
const WHOLE = { en: 'the request ', zh: '请求' }

function problemOf(issues: readonly z.core.$ZodIssue[], language: Language): Error {
  for (const { message, path } of issues) {
    if (isProblemCode(message)) return problem(message, { field: path.join('.') })
  }
  // A value of the wrong kind has often the wrong length too: the first fault of a field is enough.
  const faults = new Map(issues.toReversed().map(({ path, message }) => [path.join('.'), message]))
  const named = [...faults].toReversed().slice(0, FAULTS_MAX)
  const detail = named.map(([field, fault]) => `${field === '' ? WHOLE[language] : `${field} `}${fault}`)
  return problem('input_invalid', { detail: detail.join(language === 'zh' ? '；' : '; ') })
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
