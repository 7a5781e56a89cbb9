import { isProblemCode, type Language, problem, problems } from '@tollgate/problems/problem'
import { z } from 'zod'

const noteSchema = z.object({ code: z.string(), parameters: z.record(z.string(), z.string()) })

/**
 * Translates one of our own problem texts, which are stored in English; returns `undefined` for text from an
 * upstream. Rows of versions that did not store code and parameters are recognised by the code if their text
 * has no placeholders.
 */
export function problemText(
  stored: string,
  { problem: note, error_code: code }: Readonly<Record<string, unknown>>,
  language: Language,
): string | undefined {
  const known = noteSchema.safeParse(note).data
  if (known && isProblemCode(known.code)) return problem(known.code, known.parameters).textIn(language)
  if (typeof code !== 'string' || !isProblemCode(code)) return undefined
  const { text } = problems[code]
  return text.en === stored ? text[language] : undefined
}
