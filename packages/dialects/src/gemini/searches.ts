import { listAt, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'

/** No real answer has more queries; further ones are not counted. */
const QUERIES_MAX = 1_000
/** Models for which Google charges one search per answer; for later models it charges each query. */
const PAID_BY_ANSWER = /^(?:models\/)?gemini-[12](?:\D|$)/

export function isPaidPerAnswer(model: string): boolean {
  return PAID_BY_ANSWER.test(model)
}

/** The queries of one answer or fragment, each once. */
export function readQueries(grounding: JsonObject): readonly string[] {
  const queries = listAt(grounding, 'webSearchQueries').flatMap((query) =>
    typeof query === 'string' && query.trim() !== '' ? [query.trim()] : [],
  )
  return [...new Set(queries)].slice(0, QUERIES_MAX)
}

/**
 * Counts the Google searches behind an answer in the way Google charges for them, and the answers that rest on
 * Google Maps. Each fragment of a stream
 * may contain some of the queries and may repeat earlier ones.
 * https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
export class Searches {
  readonly #queries = new Set<string>()
  #isSearched = false
  #hasMaps = false
  #model = ''

  note(answer: JsonObject): void {
    this.#model ||= textAt(answer, 'modelVersion') ?? ''
    for (const candidate of recordsAt(answer, 'candidates')) {
      const grounding = recordAt(candidate, 'groundingMetadata')
      if (grounding !== undefined) this.#noteGrounding(grounding)
    }
  }

  /** Returns the count in the form of `Usage.toolCalls`; empty if there was no search. */
  get toolCalls(): { readonly toolCalls?: Readonly<Record<string, number>> } {
    if (!this.#isSearched && !this.#hasMaps) return {}
    const isOne = isPaidPerAnswer(this.#model)
    return {
      toolCalls: {
        ...(this.#isSearched && { google_search: isOne ? 1 : Math.max(1, this.#queries.size) }),
        ...(this.#hasMaps && { google_maps: 1 }),
      },
    }
  }

  #noteGrounding(grounding: JsonObject): void {
    for (const query of readQueries(grounding)) if (this.#queries.size < QUERIES_MAX) this.#queries.add(query)
    // Some answers contain only the pages found and not the queries.
    const chunks = recordsAt(grounding, 'groundingChunks')
    const hasPages = chunks.some((chunk) => chunk['web'] !== undefined)
    this.#hasMaps ||=
      chunks.some((chunk) => chunk['maps'] !== undefined) ||
      textAt(grounding, 'googleMapsWidgetContextToken') !== undefined
    this.#isSearched ||= this.#queries.size > 0 || hasPages
  }
}
