// The figures that are written down: `figures.txt`, and a file in `reasons/` for each change that made some worse.
// A figure is the sum of both, so that changes on several branches can be merged without a conflict.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lines such as `packages/kit files 12`. Two branches that lower one figure at once leave both of their lines. */
export function parseFigures(text) {
  const figures = new Map()
  for (const line of text.split('\n').filter(Boolean)) {
    const [name, kind, value] = line.split(' ')
    const key = `${name} ${kind}`
    figures.set(key, Math.min(Number(value), figures.get(key) ?? Number.POSITIVE_INFINITY))
  }
  return figures
}

/** The first line is the reason; the others are differences such as `packages/kit files +2`. */
export function parseReason(text) {
  const [why = '', ...lines] = text.split('\n')
  const differences = lines.filter(Boolean).map((line) => {
    const [name, kind, difference] = line.split(' ')
    return [`${name} ${kind}`, Number(difference)]
  })
  return { why, differences: new Map(differences) }
}

/** @returns {Map<string, number>} the sums by key */
export function readWrittenFigures(folder) {
  return sumFigures(readFiguresText(folder), listReasons(folder).map(readText))
}

/**
 * @param {string} text of `figures.txt`
 * @param {string[]} reasons texts of the files in `reasons/`
 */
export function sumFigures(text, reasons) {
  const figures = parseFigures(text)
  for (const reason of reasons)
    for (const [key, difference] of parseReason(reason).differences)
      figures.set(key, (figures.get(key) ?? 0) + difference)
  return figures
}

/**
 * @param {Map<string, import('./measure.mjs').Figure>} measured
 * @param {Map<string, number>} written
 * @returns {{ key: string, written: number, measured: number }[]} the figures that differ
 */
export function compareFigures(measured, written) {
  const keys = [...new Set([...measured.keys(), ...written.keys()])].toSorted()
  return keys
    .map((key) => ({ key, written: written.get(key) ?? 0, measured: measured.get(key)?.value ?? 0 }))
    .filter((figure) => figure.written !== figure.measured)
}

/** Writes down what is better than expected. */
export function writeBetter(folder, measured, expected = readWrittenFigures(folder)) {
  const figures = parseFigures(readFiguresText(folder))
  for (const { key, written, measured: value } of compareFigures(measured, expected))
    if (value < written) figures.set(key, (figures.get(key) ?? 0) + value - written)
  writeFileSync(join(folder, 'figures.txt'), formatFigures(figures))
}

/** Writes down all that is not as expected, with the reason. The same reason again extends the first. */
export function writeWithReason(folder, measured, why, expected = readWrittenFigures(folder)) {
  const path = join(folder, 'reasons', `${buildSlug(why)}.txt`)
  const reason = parseReason(existsSync(path) ? readText(path) : why)
  for (const { key, written, measured: value } of compareFigures(measured, expected))
    reason.differences.set(key, (reason.differences.get(key) ?? 0) + value - written)
  const lines = [...reason.differences].filter(([, difference]) => difference !== 0).toSorted(compareKeys)
  if (lines.length === 0) rmSync(path, { force: true })
  else {
    mkdirSync(join(folder, 'reasons'), { recursive: true })
    writeFileSync(
      path,
      [why, ...lines.map(([key, value]) => `${key} ${formatDifference(value)}`), ''].join('\n'),
    )
  }
}

/** Adds the reasons up in `figures.txt` and removes them, when a version is released: Git remembers them. */
export function foldReasons(folder) {
  const reasons = listReasons(folder)
  writeFileSync(join(folder, 'figures.txt'), formatFigures(readWrittenFigures(folder)))
  for (const file of reasons) rmSync(file)
}

export function formatDifference(difference) {
  return difference > 0 ? `+${difference}` : String(difference)
}

function formatFigures(figures) {
  return [...figures]
    .toSorted(compareKeys)
    .map(([key, value]) => `${key} ${value}\n`)
    .join('')
}

function compareKeys([a], [b]) {
  return a < b ? -1 : 1
}

function readFiguresText(folder) {
  const path = join(folder, 'figures.txt')
  return existsSync(path) ? readText(path) : ''
}

function readText(path) {
  return readFileSync(path, 'utf8')
}

function listReasons(folder) {
  const reasons = join(folder, 'reasons')
  if (!existsSync(reasons)) return []
  return readdirSync(reasons)
    .filter((name) => name.endsWith('.txt'))
    .toSorted()
    .map((name) => join(reasons, name))
}

function buildSlug(why) {
  const slug = why.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return slug.replaceAll(/^-|-$/g, '').slice(0, 60)
}
