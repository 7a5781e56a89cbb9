import type { Citation, SearchPart } from '../canonical/part.ts'
import { listAt, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { readCitations, readSearches } from './grounding.ts'
import { readQueries } from './searches.ts'

/** Gathers the searches and citations of one candidate, of which each fragment may tell a part or repeat it. */
export class StreamGrounding {
  #grounding: Record<string, unknown> | undefined
  #model = ''
  #text = ''
  readonly #told = new Set<string>()

  note(candidate: JsonObject, fragment: JsonObject): void {
    this.#model ||= textAt(fragment, 'modelVersion') ?? ''
    const later = recordAt(candidate, 'groundingMetadata')
    if (later !== undefined) this.#grounding = merged(this.#grounding, later)
  }

  /** Begins a text: places in it are counted from its start. */
  begin(): void {
    this.#text = ''
  }

  say(text: string): void {
    this.#text += text
  }

  /** The citations that were not told before. */
  citations(): readonly Citation[] {
    if (this.#grounding === undefined) return []
    return readCitations(this.#grounding, this.#text).filter(({ url = '', start, end }) => {
      const place = start === undefined ? '' : `${start}-${end ?? ''}`
      const isTold = this.#told.has(`${place} ${url}`) || (place === '' && this.#told.has(url))
      this.#told.add(url).add(`${place} ${url}`)
      return !isTold
    })
  }

  searches(): readonly SearchPart[] {
    return this.#grounding === undefined ? [] : readSearches(this.#grounding, this.#model)
  }
}

function merged(earlier: JsonObject | undefined, later: JsonObject): Record<string, unknown> {
  if (earlier === undefined) return later
  const queries = [...new Set([...readQueries(earlier), ...readQueries(later)])]
  return {
    ...earlier,
    ...later,
    ...(queries.length > 0 && { webSearchQueries: queries }),
    groundingChunks: mergedChunks(earlier, later),
  }
}

/** A later list repeats the earlier one and goes on, or has pages of its own, to which its places refer. */
function mergedChunks(earlier: JsonObject, later: JsonObject): readonly unknown[] {
  const chunks = listAt(later, 'groundingChunks')
  const seen = new Set(chunks.map((chunk) => JSON.stringify(chunk)))
  const others = recordsAt(earlier, 'groundingChunks').filter((chunk) => !seen.has(JSON.stringify(chunk)))
  return [...chunks, ...others]
}
