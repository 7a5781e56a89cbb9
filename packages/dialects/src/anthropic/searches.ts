import type { Citation, FoundPage, Part, SearchPart } from '../canonical/part.ts'
import type { DialectName } from '../canonical/raw.ts'
import { isRecord, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'

/*
 * A search of the vendor's is two blocks: the call (`server_tool_use`) and what it found
 * (`web_search_tool_result`). https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool
 */

/** Searches of other vendors carry the dialect in their id, and nothing that Anthropic could have signed. */
const FOREIGN_ID = /^srvtoolu_(openai|responses|gemini)_/
const FOREIGN_CONTENT = /^(?:openai|responses|gemini):/

export function isSearchCall(block: JsonObject): boolean {
  return block['type'] === 'server_tool_use' && block['name'] === 'web_search'
}

export function isSearchResult(block: JsonObject): boolean {
  return block['type'] === 'web_search_tool_result'
}

/** Whether a block of a search was written by this gateway for a search that another vendor ran. */
export function isForeignSearch(block: JsonObject): boolean {
  if (!isSearchCall(block) && !isSearchResult(block)) return false
  if (FOREIGN_ID.test(textAt(block, 'id') ?? textAt(block, 'tool_use_id') ?? '')) return true
  return recordsAt(block, 'content').some((page) =>
    FOREIGN_CONTENT.test(textAt(page, 'encrypted_content') ?? ''),
  )
}

/** Reads a search from its call and its result; a turn that was interrupted has no result. */
export function readSearch(call: JsonObject, result: JsonObject | undefined): SearchPart {
  const query = textAt(recordAt(call, 'input') ?? {}, 'query')
  const id = textAt(call, 'id') ?? ''
  const blocks = result === undefined ? [call] : [call, result]
  const isFailed = isRecord(result?.['content']) ? true : undefined
  return {
    type: 'search',
    id,
    queries: query === undefined ? [] : [query],
    pages: recordsAt(result ?? {}, 'content').flatMap(readPage),
    ...(isFailed && { isFailed }),
    origin: readOrigin(id),
    ...(blocks.some(isForeignSearch) ? {} : { raw: { dialect: 'anthropic', value: blocks } }),
  }
}

function readOrigin(id: string): DialectName {
  const name = FOREIGN_ID.exec(id)?.[1]
  return (['openai', 'responses', 'gemini'] as const).find((each) => each === name) ?? 'anthropic'
}

function readPage(page: JsonObject): readonly FoundPage[] {
  const url = textAt(page, 'url')
  const title = textAt(page, 'title')
  return url === undefined ? [] : [title === undefined ? { url } : { url, title }]
}

/**
 * Reads the blocks of a message, in which the call of a search and its result become one part, in the place of
 * the call.
 */
export function readBlocks(blocks: readonly JsonObject[], readBlock: (block: JsonObject) => Part): Part[] {
  if (!blocks.some(isSearchCall)) return blocks.map(readBlock)
  const results = new Map<unknown, JsonObject>()
  for (const block of blocks) if (isSearchResult(block)) results.set(block['tool_use_id'], block)
  const read = new Set<JsonObject>()
  return blocks.flatMap((block) => {
    if (read.has(block)) return []
    if (!isSearchCall(block)) return [readBlock(block)]
    const result = results.get(block['id'])
    if (result !== undefined) read.add(result)
    return [readSearch(block, result)]
  })
}

/** Calls of searches in a stream that wait for what was found. */
export class HeldSearches {
  #calls: JsonObject[] = []

  /** Returns whether the block is the call of a search. */
  hold(block: JsonObject): boolean {
    if (!isSearchCall(block)) return false
    this.#calls.push(block)
    return true
  }

  /** The search to which a block is the result. */
  take(block: JsonObject): SearchPart | undefined {
    if (!isSearchResult(block)) return undefined
    const call = this.#calls.find(({ id }) => id === block['tool_use_id'])
    if (call === undefined) return undefined
    this.#calls = this.#calls.filter((each) => each !== call)
    return readSearch(call, block)
  }

  /** The searches that were interrupted. */
  unanswered(): readonly SearchPart[] {
    return this.#calls.map((call) => readSearch(call, undefined))
  }
}

/** The blocks of a search in the form in which the vendor itself would write them. */
export interface SearchBlocks {
  readonly call: JsonObject
  readonly result: JsonObject | undefined
}

/** `number`: the place of the search in its answer, for searches without an id. */
export function writeSearch(part: SearchPart, number: number): SearchBlocks {
  if (part.raw?.dialect === 'anthropic') {
    const [call = {}, result] = part.raw.value
    return { call, result }
  }
  const { origin, queries, isFailed } = part
  const id = `srvtoolu_${origin}_${part.id.replaceAll(/\W/g, '_') || number}`
  const failure = { type: 'web_search_tool_result_error', error_code: 'unavailable' }
  return {
    call: { type: 'server_tool_use', id, name: 'web_search', input: { query: queries.join('; ') } },
    result: {
      type: 'web_search_tool_result',
      tool_use_id: id,
      content: isFailed === true ? failure : writePages(part),
    },
  }
}

export function writePages({ pages, origin }: SearchPart): readonly JsonObject[] {
  return pages.map(({ url, title = url }) => ({
    type: 'web_search_result',
    url,
    title,
    encrypted_content: `${origin}:`,
    page_age: null,
  }))
}

/** Quotes longer than this are cut, as the vendor's own are. */
const QUOTE_CHARACTERS_MAX = 150

/** Writes another vendor's citation; `text` is the text that it cites from. */
export function writeCitation(citation: Citation, text: string): JsonObject | undefined {
  const { raw, url, title, quote, start, end } = citation
  if (raw.dialect === 'anthropic') return isRecord(raw.value) ? raw.value : undefined
  if (url === undefined) return undefined
  const quoted = quote ?? (start === undefined ? '' : text.slice(start, end))
  return {
    type: 'web_search_result_location',
    url,
    title: title ?? null,
    encrypted_index: `${raw.dialect}:`,
    // A cut must not leave half of a character.
    cited_text: quoted.slice(0, QUOTE_CHARACTERS_MAX).replace(/[\uD800-\uDBFF]$/, ''),
  }
}
