/**
 * The server matches names exactly. A `%` at the start or the end of the pattern matches any characters
 * there.
 */

/** The pattern for a typed text: a known name is searched exactly, any other text as part of a name. */
export function patternOf(typed: string, known: readonly string[]): string {
  const text = typed.trim()
  const isAsItIs = text === '' || text.startsWith('%') || text.endsWith('%') || known.includes(text)
  return isAsItIs ? text : containing(text)
}

export function containing(text: string): string {
  return `%${text}%`
}

/** The inverse of `patternOf`: returns the typed part of a name; other patterns are returned unchanged. */
export function typedOf(pattern: string): string {
  return /^%([^%]+)%$/.exec(pattern)?.[1] ?? pattern
}
