/**
 * Makes the address of a file served by this gateway relative to the console, because the operator may have
 * configured another host name for the site.
 */
export function resultSource(address: string): string {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return ''
  return OWN.test(url.pathname) ? url.pathname + url.search : url.href
}

const OWN = /^\/(?:mj\/image|v1\/videos)\//
