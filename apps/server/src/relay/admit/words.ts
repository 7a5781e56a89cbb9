import type { CallOperation } from '@tollgate/dialects/conversations'
import type { Ask } from '@tollgate/dialects/dialect'
import { isMedia } from '@tollgate/dialects/media/operation'
import { visitInput } from '@tollgate/dialects/tokens/input'
import { problem } from '@tollgate/kit/problem'
import type { WordFilter } from '../../books/word-filter.ts'
import { textsIn } from './texts-in.ts'

/** Throws when a text has a refused word. `onFound` hears which word it was; the caller does not. */
export function refuseWords(
  filter: WordFilter,
  texts: readonly string[],
  onFound: (word: string) => void,
): void {
  const word = filter.find(texts.join('\n'))
  if (word === undefined) return
  onFound(word)
  throw problem('sensitive_words_detected')
}

/**
 * Everything of a request that a model reads, whatever the dialect: texts of all roles, system texts, results and
 * definitions of tools.
 */
export function textsOfCall({
  operation,
  ask,
}: {
  readonly operation: CallOperation
  readonly ask: Ask
}): readonly string[] {
  // Vendors have members of their own for pictures and speech, which no count needs to know.
  if (isMedia(operation)) return textsIn(ask.body)
  const texts: string[] = []
  visitInput(operation, ask, {
    text: (text) => void texts.push(text),
    json: (bytes, start, end) => void texts.push(bytes.toString('utf8', start, end)),
    tokens: () => undefined,
    media: () => undefined,
  })
  return texts
}
