// Texts in the cells of Markdown tables.

/** VitePress would take the full-width punctuation behind an address for a part of it. */
const ADDRESS_IN_CHINESE = /https?:\/\/[!-~]+(?=[\u3000-\uFFEF])/g

/** @param {string} text */
export function cell(text) {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll('\n', ' ')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '{ {')
    .replaceAll(ADDRESS_IN_CHINESE, '`$&`')
}
