/** What this gateway serves is read from where the console is, whatever the operator calls the site. */
export function resultSource(address: string): string {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return ''
  return OWN.test(url.pathname) ? url.pathname + url.search : url.href
}

const OWN = /^\/(?:mj\/image|v1\/videos)\//
