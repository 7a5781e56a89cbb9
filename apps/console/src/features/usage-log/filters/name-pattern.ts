/** The server finds names exactly, and with a `%` at either end everything that ends or begins so. */

/** What is asked for when somebody has typed this: a known name is meant as it is, anything else as a part of one. */
export function patternOf(typed: string, known: readonly string[]): string {
  const text = typed.trim()
  const isAsItIs = text === '' || text.startsWith('%') || text.endsWith('%') || known.includes(text)
  return isAsItIs ? text : containing(text)
}

export function containing(text: string): string {
  return `%${text}%`
}

/** The typed part again; other patterns stay as they were written. */
export function typedOf(pattern: string): string {
  return /^%([^%]+)%$/.exec(pattern)?.[1] ?? pattern
}
