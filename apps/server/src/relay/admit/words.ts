import type { CallOperation } from '@tollgate/dialects/conversations'
import type { Ask } from '@tollgate/dialects/dialect'
import { visitInput } from '@tollgate/dialects/tokens/input'
import { problem } from '@tollgate/kit/problem'
import type { WordFilter } from '../../books/word-filter.ts'

/**
 * Looks for refused words in everything of a request that a model reads, whatever the dialect: texts of all roles,
 * system texts, results and definitions of tools. `onFound` hears which word it was; the caller does not.
 */
export function refuseWords(
  filter: WordFilter,
  { operation, ask }: { readonly operation: CallOperation; readonly ask: Ask },
  onFound: (word: string) => void,
): void {
  const texts: string[] = []
  visitInput(operation, ask, {
    text: (text) => void texts.push(text),
    json: (bytes, start, end) => void texts.push(bytes.toString('utf8', start, end)),
    tokens: () => undefined,
    media: () => undefined,
  })
  const word = filter.find(texts.join('\n'))
  if (word === undefined) return
  onFound(word)
  throw problem('sensitive_words_detected')
}
