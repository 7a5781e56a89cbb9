const WHOLE_KEY = /^(?:sk-)?([0-9A-Za-z]{3})[0-9A-Za-z]{42}([0-9A-Za-z]{3})(?:-\S*)?$/

/**
 * A whole key becomes the preview that the list shows, `sk-abc***xyz`, so that the key itself stays out of the address, the
 * browser's history and logs. Any other text stays as it is.
 */
export function maskedKey(text: string): string {
  const [, start, end] = WHOLE_KEY.exec(text) ?? []
  return start === undefined ? text : `sk-${start}***${end}`
}

/** Whether somebody pasted a token's key from its first character to its last. */
export function isWholeKey(text: string): boolean {
  return WHOLE_KEY.test(text)
}
