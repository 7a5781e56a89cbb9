// Draws sentences and names to read aloud. The newest commit is the seed, so everybody reads the same ones.
import { createHash } from 'node:crypto'
import { readFacts } from './read-facts.mjs'

/**
 * Half sentences of comments and documents, half declared names.
 * @param {import('./sources.mjs').TextFile[]} sources
 * @param {import('./sources.mjs').TextFile[]} documents
 * @param {{ seed: string, count: number }} options
 * @returns {string[]} lines such as `packages/kit/src/x.ts:12  readText`
 */
export function drawSample(sources, documents, { seed, count }) {
  const half = Math.ceil(count / 2)
  const texts = [...sources, ...documents]
  const sentences = drawFrom(texts, half, `${seed} sentence`, findSentences)
  const names = drawFrom(sources, count - half, `${seed} name`, ({ path, text }) =>
    readFacts(path, text, { withLocals: true }).declarations.map(
      ({ name, line }) => `${path}:${line}  ${name}`,
    ),
  )
  return [...sentences, ...names]
}

/** One line of each drawn file, so that only the drawn files are read. A longer file is drawn more often. */
function drawFrom(files, count, seed, listLines) {
  const total = files.reduce((sum, { text }) => sum + text.length, 0)
  const lines = new Set()
  if (total === 0) return []
  for (let round = 0; lines.size < count && round < count * 20; round += 1) {
    const candidates = listLines(findFileAt(files, drawNumber(`${seed} ${round} file`) % total))
    const line = candidates[drawNumber(`${seed} ${round} line`) % candidates.length]
    if (line !== undefined) lines.add(line)
  }
  return [...lines]
}

function findFileAt(files, position) {
  let end = 0
  return files.find(({ text }) => (end += text.length) > position)
}

function drawNumber(text) {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6)
}

function findSentences({ path, text }) {
  return path.endsWith('.md')
    ? splitSentences(path, readProseLines(text))
    : splitSentences(path, readCommentLines(text))
}

/** Comment text line by line; other lines are empty, so that line numbers stay. */
function readCommentLines(text) {
  return text.split('\n').map((line) => /^\s*(?:\/\/|\/?\*\*?)\s?(.*?)(?:\*\/)?$/.exec(line)?.[1] ?? '')
}

/** The lines of a document; those of code are empty. */
function readProseLines(text) {
  let isCode = false
  return text.split('\n').map((line) => {
    const isFence = line.trimStart().startsWith('```')
    if (isFence) isCode = !isCode
    return isCode || isFence ? '' : line
  })
}

const LIST_ITEM = /^\s*(?:[-*]|\d+\.)\s+/
const NO_PROSE = /^\s*(?:[|#`]|@\w|$)/

/** Joins lines to paragraphs, of which items of lists are some, and cuts them behind full stops. */
function splitSentences(path, lines) {
  const paragraphs = []
  let isOpen = false
  for (const [index, line] of lines.entries()) {
    const isProse = !NO_PROSE.test(line)
    const text = line.replace(LIST_ITEM, '').trim()
    if (isProse && isOpen && !LIST_ITEM.test(line)) paragraphs.at(-1).text += ` ${text}`
    else if (isProse) paragraphs.push({ line: index + 1, text })
    isOpen = isProse
  }
  return paragraphs.flatMap(({ line, text }) =>
    text
      .split(/(?<=[.!?])\s+/)
      .filter((sentence) => /\w+ \w+ \w+/.test(sentence))
      .map((sentence) => `${path}:${line}  ${sentence}`),
  )
}
