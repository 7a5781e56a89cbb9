// The repository where this branch left its base, so that a change answers for its own differences only: two branches may
// have landed at once, or one without writing its figures down.
import { changedFiles, findBase, listFilesAt, readFilesAt } from '../changed-files.mjs'
import { buildListPath, parseExceptions } from './exception-lists.mjs'
import { measureFacts } from './measure.mjs'
import { RULES } from './name-rules.mjs'
import { readFacts } from './read-facts.mjs'
import { findPackage, GLOSSARY, isReference } from './sources.mjs'
import { sumFigures } from './written-figures.mjs'

const FIGURES = 'scripts/house/figures.txt'
const REASONS = 'scripts/house/reasons/'

/**
 * @param {ReturnType<import('./sources.mjs').readRepository>} repository as it is now
 * @param {import('./read-facts.mjs').FileFacts[]} facts as they are now
 * @returns `undefined` without a base, on the main branch
 */
export function readStateBefore(repository, facts) {
  const base = findBase()
  const changed = new Set(base && changedFiles())
  if (base === undefined) return undefined
  const lists = Object.keys(RULES).map(buildListPath)
  const reasons = listFilesAt(base, REASONS).filter((path) => path.endsWith('.txt'))
  const measured = [...changed].filter((path) => findPackage(path) || isReference(path))
  const texts = readFilesAt(base, [...new Set([...measured, ...lists, ...reasons, FIGURES, GLOSSARY])])
  const factsBefore = [
    ...facts.filter(({ path }) => !changed.has(path)),
    ...readChanged(texts, findPackage).map(({ path, text }) => readFacts(path, text)),
  ]
  const references = [
    ...repository.references.filter(({ path }) => !changed.has(path)),
    ...readChanged(texts, isReference),
  ]
  const figures = measureFacts(factsBefore, references)
  const written = sumFigures(
    texts.get(FIGURES) ?? '',
    reasons.map((path) => texts.get(path) ?? ''),
  )
  return {
    facts: factsBefore,
    figures,
    glossary: texts.get(GLOSSARY) ?? '',
    readList: (rule) => parseList(texts.get(buildListPath(rule))),
    expect: (writtenNow) => expectFigures(writtenNow, written, figures),
  }
}

function readChanged(texts, counts) {
  return [...texts].filter(([path]) => counts(path)).map(([path, text]) => ({ path, text }))
}

function parseList(text) {
  return text === undefined ? undefined : parseExceptions(text)
}

/**
 * The figures that the code should have: the written ones, and what was not written down before the change.
 * @param {Map<string, number>} written now
 * @param {Map<string, number>} writtenBefore
 * @param {Map<string, import('./measure.mjs').Figure>} measuredBefore
 */
export function expectFigures(written, writtenBefore, measuredBefore) {
  const expected = new Map(written)
  for (const key of new Set([...measuredBefore.keys(), ...writtenBefore.keys()])) {
    const rest = (measuredBefore.get(key)?.value ?? 0) - (writtenBefore.get(key) ?? 0)
    if (rest !== 0) expected.set(key, (expected.get(key) ?? 0) + rest)
  }
  return expected
}
