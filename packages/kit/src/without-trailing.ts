/**
 * Removes trailing repetitions of a character in a single pass; a pattern such as `/\/+$/` does not guarantee
 * linear time.
 */
export function withoutTrailing(text: string, sign: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === sign) end--
  return text.slice(0, end)
}
