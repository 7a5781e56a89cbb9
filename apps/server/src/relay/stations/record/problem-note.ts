import type { Problem } from '@tollgate/problems/problem'

/**
 * The code and parameters of a Problem, stored next to its English text in `other` of a log row or `detail`
 * of a task, so that the text can be shown in another language.
 */
export interface ProblemNote {
  readonly problem: { readonly code: string; readonly parameters: Readonly<Record<string, string>> }
}

export function problemNote(problem: Problem): ProblemNote {
  const names = Object.keys(problem.parameters)
  const texts = names.map((name) => [name, problem.parameter(name)])
  return { problem: { code: problem.code, parameters: Object.fromEntries(texts) } }
}
