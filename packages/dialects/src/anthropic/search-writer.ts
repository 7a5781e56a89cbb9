import type { Citation, SearchPart } from '../canonical/part.ts'
import { listCitedPages } from '../canonical/searches.ts'
import type { JsonObject } from '../json.ts'
import { writePages, writeSearch } from './searches.ts'

/**
 * Writes the blocks of searches within a stream. The result of a search whose pages are not known yet waits for
 * the end of the answer, because some vendors name pages only as citations of the texts after the search.
 */
export class SearchWriter {
  #waiting: { readonly part: SearchPart; readonly result: JsonObject }[] = []
  readonly #citations: Citation[] = []
  #hasPages = false
  #count = 0
  #failed = 0

  /** The number of searches that did not fail. */
  get count(): number {
    return this.#count - this.#failed
  }

  write(part: SearchPart): readonly JsonObject[] {
    const { call, result } = writeSearch(part, this.#count++)
    this.#hasPages ||= part.pages.length > 0
    if (part.isFailed === true) this.#failed++
    if (result === undefined) return [call]
    if (part.pages.length > 0 || part.isFailed === true || part.raw?.dialect === 'anthropic')
      return [call, result]
    this.#waiting.push({ part, result })
    return [call]
  }

  cite(citation: Citation): void {
    if (this.#waiting.length > 0) this.#citations.push(citation)
  }

  /** The results that waited; the last one has the pages that were cited. */
  end(): readonly JsonObject[] {
    const waiting = this.#waiting
    const last = waiting.at(-1)
    this.#waiting = []
    const pages = this.#hasPages ? [] : listCitedPages(this.#citations)
    return waiting.map(({ part, result }) =>
      part === last?.part ? { ...result, content: writePages({ ...part, pages }) } : result,
    )
  }
}
