import type { Citation, FoundPage, Part, SearchPart } from '../canonical/part.ts'
import { rawFor } from '../canonical/raw.ts'
import { isRecord, listAt, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { isPaidPerAnswer, readQueries } from './searches.ts'

/*
 * Searches of an answer and the pages that it cites: https://ai.google.dev/api/generate-content#GroundingMetadata
 */

/** More positions are not read: no real answer has a tenth of them. */
const SUPPORTS_MAX = 1_000

/**
 * Reads the searches of a candidate: as many as Google charges for. The pages belong to all of them together, and
 * are given to the first. `model`: `modelVersion` of the answer.
 */
export function readSearches(grounding: JsonObject, model: string): readonly SearchPart[] {
  const queries = readQueries(grounding)
  const pages = recordsAt(grounding, 'groundingChunks').flatMap(readPage)
  if (queries.length === 0 && pages.length === 0) return []
  const own = { origin: 'gemini', raw: { dialect: 'gemini', value: [grounding] } } as const
  if (queries.length <= 1 || isPaidPerAnswer(model))
    return [{ type: 'search', id: '', queries, pages, ...own }]
  return queries.map((query, at) => ({
    type: 'search' as const,
    id: '',
    queries: [query],
    pages: at === 0 ? pages : [],
    ...own,
    // The whole is written once.
    raw: { dialect: 'gemini' as const, value: at === 0 ? [grounding] : [] },
  }))
}

function readPage(chunk: JsonObject): readonly FoundPage[] {
  const web = recordAt(chunk, 'web')
  const url = web && textAt(web, 'uri')
  if (web === undefined || url === undefined) return []
  const title = textAt(web, 'title')
  return [title === undefined ? { url } : { url, title }]
}

/**
 * Reads the pages that a text cites. A page whose place in the text is not told is cited for the whole text.
 * `text`: the answer so far, whose bytes the places are counted in.
 */
export function readCitations(grounding: JsonObject, text: string): readonly Citation[] {
  const pages = recordsAt(grounding, 'groundingChunks').map(readCitedPage)
  const placed = new Set<Citation>()
  const citations = readSupports(grounding, text).flatMap(({ span, chunks }) =>
    chunks.flatMap((index) => {
      const page = pages[index]
      if (page === undefined) return []
      placed.add(page)
      return [{ ...page, ...span }]
    }),
  )
  return [...citations, ...pages.filter((page) => page !== undefined && !placed.has(page))].filter(
    (citation) => citation !== undefined,
  )
}

function readCitedPage(chunk: JsonObject): Citation | undefined {
  const page = recordAt(chunk, 'web') ?? recordAt(chunk, 'retrievedContext')
  const url = page && textAt(page, 'uri')
  if (page === undefined || url === undefined) return undefined
  return { url, title: textAt(page, 'title'), raw: { dialect: 'gemini', value: chunk } }
}

interface Support {
  readonly span: Pick<Citation, 'start' | 'end' | 'quote'>
  readonly chunks: readonly number[]
}

function readSupports(grounding: JsonObject, text: string): readonly Support[] {
  const supports = recordsAt(grounding, 'groundingSupports').slice(0, SUPPORTS_MAX)
  const bytes = supports.length === 0 ? undefined : Buffer.from(text)
  return supports.map((support) => {
    const segment = recordAt(support, 'segment') ?? {}
    const chunks = listAt(support, 'groundingChunkIndices').filter((each) => typeof each === 'number')
    return { span: readSpan(segment, bytes), chunks }
  })
}

/** Google counts bytes of UTF-8, and leaves out a start of 0. */
function readSpan(segment: JsonObject, bytes: Buffer | undefined): Support['span'] {
  const { startIndex = 0, endIndex } = segment
  const quote = textAt(segment, 'text')
  if (typeof startIndex !== 'number' || typeof endIndex !== 'number' || bytes === undefined) return { quote }
  if (startIndex < 0 || endIndex < startIndex || endIndex > bytes.length) return { quote }
  const start = bytes.toString('utf8', 0, startIndex).length
  return { start, end: start + bytes.toString('utf8', startIndex, endIndex).length, quote }
}

/** What is known of an answer's searches and citations when it is written. */
export interface AnswerGrounding {
  readonly searches: readonly SearchPart[]
  readonly cited: readonly CitedText[]
}

export interface CitedText {
  readonly citation: Citation
  /** The text that the position of the citation is counted in. */
  readonly text: string
  /** Bytes of the answer before that text. */
  readonly bytesBefore: number
}

/** Returns `undefined` for an answer without searches and citations. */
export function writeGrounding({ searches, cited }: AnswerGrounding): JsonObject | undefined {
  const own = searches.flatMap(({ raw }) => rawFor(raw, 'gemini') ?? [])
  if (own.length > 0) return own[0]
  const chunks = new Map<string, JsonObject>()
  for (const { citation } of cited) addChunk(chunks, citation)
  for (const { url, title } of searches.flatMap(({ pages }) => pages))
    if (!chunks.has(url)) chunks.set(url, { web: { uri: url, title } })
  const queries = searches.flatMap((search) => search.queries)
  if (chunks.size === 0 && queries.length === 0) return undefined
  const places = new Map([...chunks.keys()].map((url, index) => [url, index]))
  const supports = cited.flatMap((each) => writeSupport(each, places))
  return {
    webSearchQueries: queries.length > 0 ? queries : undefined,
    groundingChunks: chunks.size > 0 ? [...chunks.values()] : undefined,
    groundingSupports: supports.length > 0 ? supports : undefined,
  }
}

function addChunk(chunks: Map<string, JsonObject>, { url, title, raw }: Citation): void {
  if (url === undefined || chunks.has(url)) return
  const own = rawFor(raw, 'gemini')
  chunks.set(url, isRecord(own) ? own : { web: { uri: url, title } })
}

/** A citation without a position is written without a support, as Google writes pages that no text cites. */
function writeSupport(
  { citation: { url, start, end }, text, bytesBefore }: CitedText,
  places: ReadonlyMap<string, number>,
): JsonObject[] {
  const place = url === undefined ? undefined : places.get(url)
  if (place === undefined || start === undefined || end === undefined || end > text.length) return []
  const startIndex = bytesBefore + Buffer.byteLength(text.slice(0, start))
  const quoted = text.slice(start, end)
  const segment = { startIndex, endIndex: startIndex + Buffer.byteLength(quoted), text: quoted }
  return [{ segment, groundingChunkIndices: [place] }]
}

/** Gathers the grounds of an answer while it is written. */
export class GroundingWriter implements AnswerGrounding {
  readonly searches: SearchPart[] = []
  readonly #cited: { readonly citation: Citation; readonly place: TextPlace }[] = []
  #place: TextPlace = { text: '', bytesBefore: 0 }

  /** A text is opened empty. */
  open(part: Extract<Part, { type: 'search' | 'text' }>): void {
    if (part.type === 'search') this.searches.push(part)
    else {
      const { text, bytesBefore } = this.#place
      this.#place = { text: '', bytesBefore: bytesBefore + Buffer.byteLength(text) }
    }
  }

  say(text: string): void {
    this.#place.text += text
  }

  cite(citation: Citation): void {
    this.#cited.push({ citation, place: this.#place })
  }

  get cited(): readonly CitedText[] {
    return this.#cited.map(({ citation, place }) => ({ citation, ...place }))
  }
}

interface TextPlace {
  text: string
  readonly bytesBefore: number
}

/** The grounds of a whole answer. */
export function readGrounds(parts: readonly Part[]): AnswerGrounding {
  const grounds = new GroundingWriter()
  for (const part of parts) {
    if (part.type === 'search' || part.type === 'text') grounds.open(part)
    if (part.type !== 'text') continue
    grounds.say(part.text)
    for (const citation of part.citations ?? []) grounds.cite(citation)
  }
  return grounds
}
