import { CONTROL_CHARACTERS } from '@tollgate/contract/text'
import { isProblemCode, type Language, problem } from '@tollgate/problems/problem'
import type { z } from 'zod'
import { faultWords } from './input-words.ts'

/**
 * Parses input with the route's schema. Throws a problem that names each faulty field and what is wrong with
 * it: `quota must be at least 0`. Text with a NUL character is rejected: nobody intends one, and PostgreSQL
 * cannot store it.
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

/** Subject of the message when the fault is not in a single field. */
const WHOLE = { en: 'the request ', zh: '请求' }

function problemOf(issues: readonly z.core.$ZodIssue[], language: Language): Error {
  for (const { message, path } of issues) {
    if (isProblemCode(message)) return problem(message, { field: path.join('.') })
  }
  // A value of the wrong type often has a wrong length too, so only the first fault of each field is
  // reported.
  const faults = new Map(issues.toReversed().map(({ path, message }) => [path.join('.'), message]))
  const named = [...faults].toReversed().slice(0, FAULTS_MAX)
  const detail = named.map(([field, fault]) => `${field === '' ? WHOLE[language] : `${field} `}${fault}`)
  return problem('input_invalid', { detail: detail.join(language === 'zh' ? '；' : '; ') })
}

/** Returns the path to the first text with a NUL character. */
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
