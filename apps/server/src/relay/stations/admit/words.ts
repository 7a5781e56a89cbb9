import { problem } from '@tollgate/problems/problem'
import type { WordFilter } from '../../../snapshots/word-filter.ts'
import type { Log } from '../../log.ts'
import type { Call } from '../../call.ts'
import type { BodyReader } from '../../threads/body-reader.ts'
import type { Caller } from './caller.ts'

export interface WordSearch {
  readonly filter: WordFilter
  readonly userId: number
  readonly bodyReader: Pick<BodyReader, 'findWord'>
  /** Called with the word that was found; the caller of the API is not shown which it was. */
  readonly onFound: (word: string) => void
}

/** The word search for one call. Words found are logged. */
export function wordSearch(
  filter: WordFilter,
  { call, caller }: { readonly call: Pick<Call, 'id'>; readonly caller: Caller },
  { bodyReader, log }: Pick<WordSearch, 'bodyReader'> & { readonly log: Log },
): WordSearch {
  const userId = caller.owner.id
  return {
    filter,
    userId,
    bodyReader,
    onFound: (word) =>
      log.warn({ word, userId, requestId: call.id }, 'refused a call because of a refused word'),
  }
}

/**
 * Throws, or rejects with, `sensitive_words_detected` when a text contains a refused word. Long texts are
 * searched in a worker thread.
 */
export function refuseWords(text: string, search: WordSearch): Promise<void> | undefined {
  const { filter, bodyReader, userId } = search
  if (text.length > filter.quickCharacters)
    return bodyReader.findWord(filter.lines, text, userId).then((word) => refuseWord(word, search))
  refuseWord(filter.find(text), search)
  return undefined
}

/** Reports the word and throws, if one was found. */
export function refuseWord(word: string | undefined, { onFound }: Pick<WordSearch, 'onFound'>): void {
  if (word === undefined) return
  onFound(word)
  throw problem('sensitive_words_detected')
}
