/** A `token`, https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const known = new Map<string, string>()
const KNOWN_MAX = 1_000

/**
 * The name of a header in lower case; `undefined` for text that is no name. Names are remembered, because servers and
 * channels use the same ones in each message.
 */
export function headerName(text: string): string | undefined {
  const name = known.get(text)
  if (name !== undefined || !TOKEN.test(text)) return name
  const lower = text.toLowerCase()
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, lower)
  return lower
}
