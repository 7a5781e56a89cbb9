// Measures the code: one figure per package and kind, each of which should fall.
import { basename, dirname, join } from 'node:path/posix'
import { readFacts } from './read-facts.mjs'
import { findArrows, findArrowsUp, findMutualPairs, LAYERED } from './rooms.mjs'
import { findPackage } from './sources.mjs'
import { isParticiple } from './words.mjs'

const RELAY = 'apps/server/src/relay'
const SMALL_FILE_LINES = 30
/** A name may be declared in two files, for example by a server and its client. */
export const FILES_PER_NAME_MAX = 2

/**
 * @typedef {object} Figure
 * @property {number} value
 * @property {string[]} items what was counted, for example `textOf apps/server/src/x.ts:12`; empty for lines and files
 */

/**
 * @param {ReturnType<import('./sources.mjs').readRepository>} repository
 * @returns {{ figures: Map<string, Figure>, facts: import('./read-facts.mjs').FileFacts[] }}
 *   figures by key, for example `packages/kit exported-names`
 */
export function measure({ sources, references }) {
  const facts = sources.map(({ path, text }) => readFacts(path, text))
  return { facts, figures: measureFacts(facts, references) }
}

/** @returns {Map<string, Figure>} */
export function measureFacts(facts, references) {
  const figures = [
    ...measurePackages(facts),
    ...measureRooms(facts),
    measureRepeatedNames(facts),
    ...measureReferences(references),
  ]
  return new Map(figures.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function* measurePackages(facts) {
  const importers = countImporters(facts)
  for (const [name, files] of groupBy(facts, ({ path }) => findPackage(path))) {
    const declarations = files.flatMap(({ path, declarations: own }) =>
      own.map((each) => ({ ...each, path })),
    )
    const exported = declarations.filter(({ isExported }) => isExported)
    const counted = (kind, list) => [`${name} ${kind}`, { value: list.length, items: list.map(describe) }]
    const sum = files.reduce((lines, file) => lines + (isRows(file) ? 0 : file.lines), 0)
    yield [`${name} source-lines`, { value: sum, items: [] }]
    yield [`${name} files`, { value: files.length, items: [] }]
    yield [`${name} exported-names`, { value: exported.length, items: exported.map(describe) }]
    yield counted(
      'exported-functions-xOf',
      exported.filter((each) => each.kind === 'function' && isXOf(each.name)),
    )
    yield counted(
      'participle-types',
      declarations.filter((each) => each.kind === 'type' && isParticiple(each.name)),
    )
    yield counted(
      'small-files-with-one-importer',
      files
        .filter(({ path, lines }) => lines <= SMALL_FILE_LINES && importers.get(path) === 1)
        .map(({ path }) => ({ name: 'file', path, line: 1 })),
    )
  }
}

function* measureRooms(facts) {
  const pairs = findMutualPairs(findArrows(facts, RELAY))
  yield [`${RELAY} mutual-folder-pairs`, { value: pairs.length, items: pairs }]
  for (const base of LAYERED) {
    const arrows = findArrowsUp(findArrows(facts, base), base)
    yield [`${base} arrows-up`, { value: arrows.length, items: arrows }]
  }
}

function measureRepeatedNames(facts) {
  const items = [...findRepeatedNames(facts)].map(([name, paths]) => `${name} ${paths.join(' ')}`)
  return ['all exported-names-in-three-files', { value: items.length, items }]
}

/**
 * Exported names that too many files declare. Files of one name in sibling folders count once: each operation or vendor
 * may use the words of its family, as `commands/audit/index.ts` and `commands/move/index.ts` do.
 * @param {import('./read-facts.mjs').FileFacts[]} facts
 * @returns {Map<string, string[]>} the paths by name, one path for a family
 */
export function findRepeatedNames(facts) {
  const families = new Map()
  for (const { path, declarations } of facts)
    for (const { name, isExported } of declarations) {
      if (!isExported) continue
      const paths = families.get(name) ?? families.set(name, new Map()).get(name)
      paths.set(`${dirname(dirname(path))}/*/${basename(path)}`, path)
    }
  return new Map(
    [...families]
      .filter(([, paths]) => paths.size > FILES_PER_NAME_MAX)
      .map(([name, paths]) => [name, [...paths.values()]])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function* measureReferences(references) {
  const counts = references.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
  const longest = counts.toSorted((a, b) => b.lines - a.lines)
  const items = longest.slice(0, 5).map(({ path, lines }) => `${path} ${lines}`)
  yield ['docs/reference lines', { value: counts.reduce((sum, { lines }) => sum + lines, 0), items }]
  yield ['docs/reference longest-document-lines', { value: longest[0]?.lines ?? 0, items }]
}

/** Files without a function in the catalogue are rows about vendors and models, whose number says nothing about the code. */
function isRows({ path, declarations }) {
  return path.startsWith('packages/catalogue/') && !declarations.some(({ kind }) => kind === 'function')
}

export function isXOf(name) {
  return /[a-z0-9]Of$/.test(name)
}

function describe({ name, path, line }) {
  return `${name} ${path}:${line}`
}

/** How many source files import each file, by path. */
function countImporters(facts) {
  const paths = new Set(facts.map(({ path }) => path))
  const counts = new Map()
  for (const { path, imports } of facts)
    for (const request of imports) {
      const target = resolveImport(path, request).find((each) => paths.has(each))
      if (target) counts.set(target, (counts.get(target) ?? 0) + 1)
    }
  return counts
}

/** Where an import may lead. `@tollgate/kit/json` is `packages/kit/src/json.ts`, or the index of a folder. */
function resolveImport(path, request) {
  if (request.startsWith('.')) return [join(dirname(path), request)]
  const [, name, entry] = /^@tollgate\/([^/]+)\/(.+)$/.exec(request) ?? []
  return name ? ['.ts', '/index.ts'].map((end) => `packages/${name}/src/${entry}${end}`) : []
}

function groupBy(values, findKey) {
  const groups = new Map()
  for (const value of values) {
    const key = findKey(value)
    groups.set(key, [...(groups.get(key) ?? []), value])
  }
  return groups
}
