import { problem } from '@tollgate/kit/problem'
import type { WordFilter } from '../../snapshots/word-filter.ts'
import type { Log } from '../log.ts'
import type { Call } from '../call.ts'
import type { BodyReader } from '../threads/body-reader.ts'
import type { Caller } from './caller.ts'

export interface WordSearch {
  readonly filter: WordFilter
  readonly userId: number
  readonly bodyReader: Pick<BodyReader, 'findWord'>
  /** Told which word it was; the caller is not. */
  readonly onFound: (word: string) => void
}

/** The search of a call's texts, whose findings are in the log. */
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
    onFound: (word) => log.warn({ word, userId, requestId: call.id }, 'a call had a refused word'),
  }
}

/** Throws, or rejects with, `sensitive_words_detected` when a text has a refused word. Long texts are searched beside the event loop. */
export function refuseWords(text: string, search: WordSearch): Promise<void> | undefined {
  const { filter, bodyReader, userId } = search
  if (text.length > filter.quickCharacters)
    return bodyReader.findWord(filter.lines, text, userId).then((word) => refuseWord(word, search))
  refuseWord(filter.find(text), search)
  return undefined
}

/** Throws when a word was found. */
export function refuseWord(word: string | undefined, { onFound }: Pick<WordSearch, 'onFound'>): void {
  if (word === undefined) return
  onFound(word)
  throw problem('sensitive_words_detected')
}
