/** Keeps the printable ASCII of a text, without blanks, up to `max` characters; `undefined` if nothing is left. */
export function keepPlainText(text: string | undefined, max: number): string | undefined {
  // The rest of a long text is dropped before it is scanned; a few characters of it may be dropped later.
  const plain = text?.slice(0, 4 * max).replace(/[^\x21-\x7e]/g, '')
  return plain === undefined || plain === '' ? undefined : plain.slice(0, max)
}

/** What is kept of an id that another system gave to a request. */
export const FOREIGN_ID_CHARACTERS_MAX = 128
