import { isProblemCode, type Language, problem, problems } from '@tollgate/kit/problem'
import { z } from 'zod'

const noteSchema = z.object({ code: z.string(), parameters: z.record(z.string(), z.string()) })

/**
 * The text of one of our own problems in another language than the English it is stored in; `undefined` for what an
 * upstream said. Rows from before the note are known by their code, where their text has no places to fill.
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
