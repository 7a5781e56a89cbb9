const NO_QUERY = new URLSearchParams()

/** The query of a request URL, to be read only: all URLs without one share an empty query. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return start === -1 ? NO_QUERY : new URLSearchParams(url.slice(start))
}
