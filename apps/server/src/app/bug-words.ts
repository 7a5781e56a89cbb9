/** One line about an error that nobody expected. Its stack is printed on demand only. */
export function bugWords({ message }: Error): string {
  return `Unexpected error: ${oneLine(message)} (NODE_DEBUG=tollgate prints where it happened).`
}

/** The message of an error from a thread may contain its stack. */
export function oneLine(text: string): string {
  return text.split(/\n\s*at /)[0]?.replaceAll(/\s+/g, ' ') ?? text
}
