import type { Problem } from '@tollgate/kit/problem'

/**
 * Beside an English text, in `other` of a log row or `detail` of a task: what the text was made of, so that its reader can
 * have it in another language.
 */
export interface ProblemNote {
  readonly problem: { readonly code: string; readonly parameters: Readonly<Record<string, string>> }
}

export function problemNote(problem: Problem): ProblemNote {
  const names = Object.keys(problem.parameters)
  const texts = names.map((name) => [name, problem.parameter(name)])
  return { problem: { code: problem.code, parameters: Object.fromEntries(texts) } }
}
