const WHOLE_KEY = /^(?:sk-)?([0-9A-Za-z]{3})[0-9A-Za-z]{42}([0-9A-Za-z]{3})(?:-\S*)?$/

/**
 * Replaces a full key by the preview that the list shows, `sk-abc***xyz`, so that the key stays out of the
 * address, the browser's history and logs. Any other text is returned unchanged.
 */
export function maskedKey(text: string): string {
  const [, start, end] = WHOLE_KEY.exec(text) ?? []
  return start === undefined ? text : `sk-${start}***${end}`
}

/** Whether the text is a complete token key. */
export function isWholeKey(text: string): boolean {
  return WHOLE_KEY.test(text)
}
