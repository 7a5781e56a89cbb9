import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GuideSample {
  readonly language: string
  readonly code: string
}

const ROOT = join(import.meta.dirname, '../../..')
const FENCE = /(<!-- runs -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm

/** The samples of a document in their order; `runs` keeps those that the document marks as complete programs. */
export function guideSamples(
  path: string,
  options: { readonly runs?: boolean } = {},
): readonly GuideSample[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [...text.matchAll(FENCE)]
    .filter(([, mark]) => options.runs !== true || mark !== undefined)
    .map(([, , language = '', code = '']) => ({ language, code }))
}
