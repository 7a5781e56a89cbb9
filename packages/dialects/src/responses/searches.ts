import type { FoundPage, SearchPart } from '../canonical/part.ts'
import { recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'

/**
 * Reads the item of a web search; `undefined` for one in which the model only opened a page or looked within it.
 * https://platform.openai.com/docs/guides/tools-web-search
 */
export function readSearch(item: JsonObject): SearchPart | undefined {
  const action = recordAt(item, 'action') ?? {}
  if ((textAt(action, 'type') ?? 'search') !== 'search') return undefined
  return {
    type: 'search',
    id: textAt(item, 'id') ?? '',
    queries: listQueries(action),
    pages: recordsAt(action, 'sources').flatMap(readSource),
    ...(item['status'] === 'failed' && { isFailed: true }),
    origin: 'responses',
    raw: { dialect: 'responses', value: [item] },
  }
}

/** `query` is the older member, which newer answers repeat as the first of several. */
function listQueries(action: JsonObject): readonly string[] {
  const several: unknown = action['queries']
  const queries = Array.isArray(several) ? several.filter((each) => typeof each === 'string') : []
  const only = textAt(action, 'query')
  return queries.length > 0 || only === undefined ? queries : [only]
}

function readSource(source: JsonObject): readonly FoundPage[] {
  const url = textAt(source, 'url')
  const title = textAt(source, 'title')
  return url === undefined ? [] : [title === undefined ? { url } : { url, title }]
}

export function writeSearch(part: SearchPart, id: string): Record<string, unknown> {
  const [own] = part.raw?.dialect === 'responses' ? part.raw.value : []
  if (own !== undefined) return { ...own }
  const { queries, pages, isFailed } = part
  const action = {
    type: 'search',
    query: queries[0] ?? '',
    queries: [...queries],
    sources: pages.map(({ url }) => ({ type: 'url', url })),
  }
  return { id, type: 'web_search_call', status: isFailed === true ? 'failed' : 'completed', action }
}

/** The events of a search, which is complete when it is known. `item`: see {@link writeSearch}. */
export function writeSearchEvents(item: JsonObject, place: number): JsonObject[] {
  const at = { item_id: item['id'], output_index: place }
  const { action: _action, ...begun } = item
  return [
    { type: 'response.output_item.added', output_index: place, item: { ...begun, status: 'in_progress' } },
    { type: 'response.web_search_call.in_progress', ...at },
    { type: 'response.web_search_call.searching', ...at },
    { type: 'response.web_search_call.completed', ...at },
  ]
}
