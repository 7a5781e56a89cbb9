import { problem } from '@tollgate/problems/problem'

/** A `token` as RFC 9110 defines it. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/**
 * Visible characters, spaces and tabs of Latin-1; this excludes CR, LF, NUL and every character that does not
 * fit in one byte.
 */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Returns the headers when every name and value may be sent; otherwise throws a problem that shows none of
 * them.
 */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw problem('header_invalid')
  }
  return headers
}
