/** Text without URI escapes. Text with an invalid escape is left unchanged. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
