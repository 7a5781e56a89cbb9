// The rules of names. Each names what breaks it; `exception-lists.mjs` takes out what was there before the rules.
import { isXOf, findRepeatedNames, FILES_PER_NAME_MAX } from './measure.mjs'
import { findArrows, findStationImports } from './rooms.mjs'
import { hasVerb, isParticiple, readGlossaryNouns, REFUSED_LOCALS, splitWords } from './words.mjs'

/**
 * @typedef {object} Violation
 * @property {string} name what the list of exceptions has
 * @property {string[]} paths
 * @property {number} [line] in the only file
 * @property {number} count how often
 */

/**
 * The rules that hold for everything, by the name of their list of exceptions.
 * @type {Record<string, { rule: string, find: (facts: import('./read-facts.mjs').FileFacts[], glossary: string) => Violation[] }>}
 */
export const RULES = {
  'functions-without-verb': {
    rule: 'an exported function begins with a verb (scripts/house/verbs.txt), or is a component, predicate or number',
    find: (facts) =>
      findDeclarations(
        facts,
        (each, path) => each.isExported && each.kind === 'function' && !isAction(each, path),
      ),
  },
  'types-of-one-word': {
    rule: 'an exported type is a noun of two words, or one of docs/glossary.md',
    find(facts, glossary) {
      const nouns = readGlossaryNouns(glossary)
      const isNoun = (name) => splitWords(name).length > 1 || nouns.has(name.toLowerCase())
      return findDeclarations(facts, (each) => each.isExported && each.kind === 'type' && !isNoun(each.name))
    },
  },
  'names-in-three-files': {
    rule: `an exported name is declared in at most ${FILES_PER_NAME_MAX} files`,
    find: (facts) =>
      [...findRepeatedNames(facts)].map(([name, paths]) => ({ name, paths, count: paths.length })),
  },
  'station-imports': {
    rule: 'a station of the relay does not import another station',
    find: (facts) =>
      [...findStationImports(findArrows(facts, RELAY))].map(([name, files]) => ({
        name,
        paths: [...new Set(files)].map((path) => `${RELAY}/${path}`),
        count: files.length,
      })),
  },
}

const RELAY = 'apps/server/src/relay'

/** A function that calculates is named by its result: `inputTokens(usage)`. */
function isAction({ name, returnsNumber }, path) {
  if (isXOf(name)) return false
  return hasVerb(name) || returnsNumber || (path.endsWith('.tsx') && /^[A-Z]/.test(name))
}

function findDeclarations(facts, breaksRule) {
  const violations = new Map()
  for (const { path, declarations } of facts)
    for (const each of declarations) {
      if (!breaksRule(each, path)) continue
      const { paths, count } = violations.get(each.name) ?? { paths: [], count: 0 }
      violations.set(each.name, {
        name: each.name,
        paths: [...paths, path],
        line: each.line,
        count: count + 1,
      })
    }
  return [...violations.values()]
}

/**
 * Names on lines that a change adds or touches.
 * @param {import('./read-facts.mjs').FileFacts} facts with locals
 * @param {ReadonlySet<number>} lines
 * @returns {string[]} one line for each fault
 */
export function findFaultsOnLines({ path, declarations }, lines) {
  const touched = declarations.filter((each) => lines.has(each.line))
  const names = new Set(touched.map((each) => `${each.line} ${each.name}`))
  return touched.flatMap((each) => {
    const fault = faultOnLine(each, names)
    return fault ? [`${path}:${each.line}: ${each.name}: ${fault}`] : []
  })
}

function faultOnLine({ name, kind, isExported, line }, names) {
  if (kind === 'local' && REFUSED_LOCALS.has(name) && !isSide(name, line, names))
    return 'a local says what it holds, for example usage, cachedRow or remainingUnits'
  if (isExported) return undefined
  if (kind === 'function' && isXOf(name)) return 'a function begins with a verb: readText, not textOf'
  if (kind === 'type' && isParticiple(name)) return 'a type is a noun: HeldCall, not Held'
  return undefined
}

/** `left` beside `right` is a side. */
function isSide(name, line, names) {
  return name === 'left' && names.has(`${line} right`)
}
