// Finds words that `docs/glossary.md` lists as retired.

/** Its older parts describe what was; the glossary lists the words themselves. */
const EXEMPT = new Set(['CHANGELOG.md', 'docs/glossary.md'])
const IDENTIFIER = /[A-Za-z_$][\w$]*/g
const DECLARATION = /\b(?:class|interface|type|enum|function\*?|const|let) ([A-Za-z_$][\w$]*)/g

/** @typedef {{ phrases: Map<string, string>, declared: Map<string, string>, names: Map<string, string> }} RetiredWords */

/**
 * Reads the tables of the glossary. Each map has the retired word and its replacement.
 * @param {string} glossary
 * @returns {RetiredWords}
 */
export function readRetiredWords(glossary) {
  return {
    phrases: tableUnder(glossary, 'Retired phrases'),
    declared: tableUnder(glossary, 'Retired English words'),
    names: tableUnder(glossary, 'Retired names'),
  }
}

/**
 * Returns one line for each retired word in the file: `path:line: word (use replacement)`.
 * @param {import('./files.mjs').TextFile} file
 * @param {RetiredWords} retired
 * @returns {string[]}
 */
export function findRetiredWords({ path, text }, { phrases, declared, names }) {
  if (EXEMPT.has(path)) return []
  const found = []
  const add = (index, word, use) =>
    found.push(`${path}:${text.slice(0, index).split('\n').length}: ${word} (use ${use})`)
  for (const { 0: word, index } of text.matchAll(IDENTIFIER))
    if (names.has(word)) add(index, word, names.get(word))
  for (const { 1: word, index } of path.endsWith('.md') ? [] : text.matchAll(DECLARATION))
    if (declared.has(word)) add(index, word, declared.get(word))
  for (const [phrase, use] of phrases)
    for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) add(at, phrase, use)
  return found
}

/** @returns {Map<string, string>} */
function tableUnder(glossary, heading) {
  const section = glossary.split(`\n### ${heading}\n`)[1]?.split('\n#')[0]
  const rows = section?.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm) ?? []
  const table = new Map([...rows].map(([, word, use]) => [word, use]))
  if (table.size === 0) throw new Error(`docs/glossary.md has no table "${heading}"`)
  return table
}
