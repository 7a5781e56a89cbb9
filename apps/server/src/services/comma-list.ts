/** Splits a text at commas, also Chinese ones, and line breaks into trimmed, non-empty, distinct elements in their order. */
export function splitList(text: string): string[] {
  const elements = text.split(/[,，\n\r]/).map((element) => element.trim())
  return [...new Set(elements)].filter((element) => element !== '')
}
