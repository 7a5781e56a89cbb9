import { problem } from '@tollgate/kit/problem'

/** A token as RFC 9110 has it. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Visible characters, spaces and tabs of Latin-1: neither CR, LF, NUL nor what cannot be written in one byte. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Returns the headers when every name and value may be sent; throws a problem that shows none of them otherwise. */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw problem('header_invalid')
  }
  return headers
}
