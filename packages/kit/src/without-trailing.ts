/** A text without the signs at its end; in one pass, which a pattern such as `/\/+$/` does not promise. */
export function withoutTrailing(text: string, sign: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === sign) end--
  return text.slice(0, end)
}
