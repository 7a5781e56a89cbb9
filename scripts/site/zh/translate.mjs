// Translates the tables of an English page, which tests hold equal to the code, with words that are kept beside it.
// So the Chinese page has every row and column of the English one; what has no words yet is reported.

/**
 * @typedef {object} Words
 * @property {readonly number[]} [verbatim] columns of names, which stay as they are
 * @property {Readonly<Record<string, string>>} [rows] the last column of a row, by the name in its first
 * @property {Readonly<Record<string, string>>} [texts] Chinese by the English text of a cell or of a part of it
 * @property {readonly (readonly [RegExp, string])[]} [patterns] the same for texts with numbers or lists
 */

/** A cell that is not known as a whole is a list of parts that are. */
const SEPARATORS = [
  [': ', '：'],
  ['; ', '；'],
  [', ', '、'],
]
const CODE = /`[^`]*`/g
const RULE = /^\|(?:-+\|)+$/
const HIDDEN = /\uE000(\d+)\uE001/g

/**
 * @param {string} block lines of a table or of a list with `- \`name\`: text`
 * @param {Words} words
 * @returns {{ text: string, missing: string[], used: Set<string> }} `used` has the keys of `rows` and `texts`
 */
export function translateBlock(block, words) {
  const missing = []
  const used = new Set()
  const cell = (text) => {
    const found = translate(text, words, used)
    if (found === undefined) missing.push(text)
    return found ?? text
  }
  const lines = block.split('\n').map((line) => {
    if (RULE.test(line)) return line
    const { cells, build } = partsOf(line)
    const name = /^`([^`]+)`$/.exec(cells[0])?.[1]
    return build(
      cells.map((text, column) => {
        if (words.verbatim?.includes(column) && line !== block.split('\n', 1)[0]) return text
        if (column === cells.length - 1 && name !== undefined && words.rows?.[name] !== undefined) {
          used.add(name)
          return words.rows[name]
        }
        return cell(text)
      }),
    )
  })
  return { text: lines.join('\n'), missing, used }
}

function partsOf(line) {
  const [, name, text] = /^- (`[^`]+`): (.+)$/.exec(line) ?? []
  if (name !== undefined) return { cells: [name, text], build: (cells) => `- ${cells.join('：')}` }
  const cells = line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
  return { cells, build: (translated) => `| ${translated.join(' | ')} |` }
}

/** Returns `undefined` for a text with English words that are not known. */
function translate(text, words, used) {
  if (words.texts && Object.hasOwn(words.texts, text)) {
    used.add(text)
    return words.texts[text]
  }
  for (const [pattern, chinese] of words.patterns ?? [])
    if (pattern.test(text)) return text.replace(pattern, chinese)
  if (!/[A-Za-z]{2}/.test(text.replaceAll(CODE, ''))) return text.replaceAll('`, `', '`、`')
  const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(text)
  if (link) {
    const inside = translate(link[1], words, used)
    return inside && `[${inside}](${link[2]})`
  }
  return translateParts(text, words, used)
}

function translateParts(text, words, used) {
  const codes = []
  const hidden = text.replaceAll(CODE, (code) => `\uE000${codes.push(code) - 1}\uE001`)
  for (const [separator, chinese] of SEPARATORS) {
    if (!hidden.includes(separator)) continue
    const at = separator === ': ' ? hidden.indexOf(separator) : -1
    const pieces =
      at < 0 ? hidden.split(separator) : [hidden.slice(0, at), hidden.slice(at + separator.length)]
    const parts = pieces.map((part) =>
      translate(
        part.replaceAll(HIDDEN, (_, index) => codes[index]),
        words,
        used,
      ),
    )
    if (!parts.includes(undefined)) return parts.join(chinese)
  }
  return undefined
}
