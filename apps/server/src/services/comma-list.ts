/** Elements of a text separated by commas or line breaks: trimmed, without empty ones, each once, in their order. */
export function splitList(text: string): string[] {
  const elements = text.split(/[,\n\r]/).map((element) => element.trim())
  return [...new Set(elements)].filter((element) => element !== '')
}
