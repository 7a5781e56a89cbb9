import { recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'

/** No answer has more; whoever names more is not counted further. */
const QUERIES_MAX = 1_000
/** Models of which the vendor charges each answer with a search; of later ones it charges each query. */
const PAID_BY_ANSWER = /^(?:models\/)?gemini-[12](?:\D|$)/

/**
 * Counts the Google searches behind an answer as the vendor charges them. Fragments of a stream may each tell some of
 * their queries, and may repeat them. https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
export class Searches {
  readonly #queries = new Set<string>()
  #isSearched = false
  #model = ''

  note(answer: JsonObject): void {
    this.#model ||= textAt(answer, 'modelVersion') ?? ''
    for (const candidate of recordsAt(answer, 'candidates')) {
      const grounding = recordAt(candidate, 'groundingMetadata')
      if (grounding !== undefined) this.#noteGrounding(grounding)
    }
  }

  /** In the form of `Usage.toolCalls`; nothing where nothing was searched. */
  get toolCalls(): { readonly toolCalls?: Readonly<Record<string, number>> } {
    if (!this.#isSearched) return {}
    const isOne = PAID_BY_ANSWER.test(this.#model)
    return { toolCalls: { google_search: isOne ? 1 : Math.max(1, this.#queries.size) } }
  }

  #noteGrounding(grounding: JsonObject): void {
    const queries = grounding['webSearchQueries']
    for (const query of Array.isArray(queries) ? queries : [])
      if (typeof query === 'string' && query.trim() !== '' && this.#queries.size < QUERIES_MAX)
        this.#queries.add(query.trim())
    // Some answers tell only what the search found.
    const hasPages = recordsAt(grounding, 'groundingChunks').some((chunk) => chunk['web'] !== undefined)
    this.#isSearched ||= this.#queries.size > 0 || hasPages
  }
}
