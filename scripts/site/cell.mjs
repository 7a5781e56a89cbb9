// Texts in the cells of Markdown tables.

/** @param {string} text */
export function cell(text) {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll('\n', ' ')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '{ {')
}
