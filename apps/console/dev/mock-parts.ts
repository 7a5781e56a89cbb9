export interface MockSite {
  isSetUp: boolean
  readonly isEmpty: boolean
  readonly isFailing: boolean
  roleOfReader: number
}

export interface MockRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
}

export interface MockAnswer {
  readonly status?: number
  readonly body: unknown
}

export interface MockRoute {
  readonly method: string
  readonly pattern: RegExp
  readonly answer: (asked: MockRequest) => MockAnswer
}

export interface MockRow {
  readonly id: number
}

export function list(site: MockSite, answer: () => MockAnswer): MockAnswer {
  return site.isFailing ? { status: 500, body: { success: false, message: 'down' } } : answer()
}

/** One page of the usage log: pages are counted from 1, and the paging members stand inside `data`. */
export function page(rows: readonly MockRow[], query: URLSearchParams) {
  const size = Number(query.get('page_size') ?? 10)
  const number = Math.max(1, Number(query.get('p') ?? 1))
  return {
    items: rows.slice((number - 1) * size, number * size),
    total: rows.length,
    page: number,
    page_size: size,
  }
}

export function get(pattern: string, answer: MockRoute['answer']): MockRoute {
  return route('GET', pattern, answer)
}

export function route(method: string, pattern: string, answer: MockRoute['answer']): MockRoute {
  return { method, pattern: new RegExp(`^${pattern}$`), answer }
}

export function ok(data: unknown): MockAnswer {
  return { body: { success: true, message: '', data } }
}

export function refused(message: string): MockAnswer {
  return { body: { success: false, message } }
}
