import type { Usage } from '../usage.ts'
import type { Citation, FoundPage, Part, SearchPart } from './part.ts'

/** Names of searches in `Usage.toolCalls`, whichever vendor ran them. */
const NAMES = ['web_search', 'web_search_preview', 'google_search', 'x_search'] as const

/** The number of searches that the vendor reported; where it reports none, the number of `parts`. */
export function searchCount(usage: Usage | undefined, parts: number): number {
  const calls = usage?.toolCalls ?? {}
  const requests = NAMES.reduce((sum, name) => sum + (calls[name] ?? 0), 0)
  return requests > 0 ? requests : parts
}

/** The pages that citations name, each once. */
export function listCitedPages(citations: readonly Citation[]): readonly FoundPage[] {
  const pages = new Map<string, FoundPage>()
  for (const { url, title } of citations) {
    if (url === undefined || pages.has(url)) continue
    pages.set(url, title === undefined ? { url } : { url, title })
  }
  return [...pages.values()]
}

/**
 * Gives the pages that the texts cite to the last search without pages, where no search has any: some vendors
 * name pages as citations alone.
 */
export function withCitedPages(parts: readonly Part[]): readonly Part[] {
  const searches = parts.filter((part) => part.type === 'search')
  const last = searches.findLast(({ isFailed }) => isFailed !== true)
  if (last === undefined || searches.some(({ pages }) => pages.length > 0)) return parts
  const pages = listCitedPages(parts.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : [])))
  return pages.length === 0 ? parts : parts.map((part) => (part === last ? { ...last, pages } : part))
}

/** A vendor that names neither the search nor its query, but pages of the web: it has searched. */
export function findCitedSearch(
  citations: readonly Citation[],
  origin: SearchPart['origin'],
): SearchPart | undefined {
  const pages = listCitedPages(citations)
  return pages.length === 0 ? undefined : { type: 'search', id: '', queries: [], pages, origin }
}

const PAGES_MAX = 50

/** The search as a text, for a vendor that cannot be given the search of another. */
export function describeSearch({ queries, pages, isFailed }: SearchPart): string {
  const words = queries.map((query) => JSON.stringify(query)).join(', ')
  const head = `Web search${words === '' ? '' : ` for ${words}`}`
  if (isFailed === true) return `${head}: failed`
  const lines = pages
    .slice(0, PAGES_MAX)
    .map(({ url, title }) => (title === undefined ? url : `${title}: ${url}`))
  return lines.length === 0 ? head : [`${head}:`, ...lines.map((line) => `- ${line}`)].join('\n')
}
