// What `npm run verify` says about the figures and names of a change.
import { readChangedLines } from '../changed-files.mjs'
import { buildListPath, compareExceptions, findGrowth, readExceptions } from './exception-lists.mjs'
import { findFaultsOnLines, RULES } from './name-rules.mjs'
import { readFacts } from './read-facts.mjs'
import { findPackage } from './sources.mjs'
import { compareFigures, formatDifference } from './written-figures.mjs'

const ITEMS_MAX = 8

/**
 * Faults of the figures: worse ones need a reason, better ones have to be written down.
 * @param {Map<string, import('./measure.mjs').Figure>} figures
 * @param {Map<string, number>} written
 * @param {Map<string, import('./measure.mjs').Figure>} [before] figures before the change, to name what is new
 * @returns {string[]}
 */
export function findFigureFaults(figures, written, before = new Map()) {
  const differences = compareFigures(figures, written)
  const worse = differences.filter((figure) => figure.measured > figure.written)
  const faults = differences.map((figure) => {
    const { key, measured, written: expected } = figure
    const verdict = measured > expected ? 'worse' : 'better'
    const items = verdict === 'worse' ? listNewItems(figures.get(key)?.items, before.get(key)?.items) : []
    const change = `${verdict}: ${key} ${expected} -> ${measured} (${formatDifference(measured - expected)})`
    return [change, ...items].join('\n    ')
  })
  if (worse.length > 0)
    faults.push(
      'Mend what is worse, or write down why: npm run house -- write --why "scope: what the lines do"',
    )
  else if (faults.length > 0) faults.push('This is better. Write it down: npm run house -- write')
  return faults
}

/** A name that only moved to another line is not new. */
function listNewItems(items = [], itemsBefore = []) {
  const namesBefore = new Set(itemsBefore.map(removeLine))
  const added = items.filter((item) => !namesBefore.has(removeLine(item)))
  const more = added.length > ITEMS_MAX ? [`and ${added.length - ITEMS_MAX} more`] : []
  return [...added.slice(0, ITEMS_MAX), ...more]
}

function removeLine(item) {
  return item.replace(/:\d+$/, '')
}

/**
 * Faults of the names in the whole repository, without the listed exceptions and without the faults that were there
 * before the change.
 * @param {{ facts: import('./read-facts.mjs').FileFacts[], glossary: string }} state
 * @param {{ facts: import('./read-facts.mjs').FileFacts[], glossary: string, readList: (rule: string) => Map<string, number> | undefined }} [before]
 * @returns {string[]}
 */
export function findNameFaults(state, before, readList = readExceptions) {
  return Object.entries(RULES).flatMap(([name, { rule, find }]) => {
    const listed = readList(name)
    const { unlisted, stale } = compareExceptions(find(state.facts, state.glossary), listed)
    const listedBefore = before?.readList(name)
    // Before the change that made a list, nothing was a fault.
    const old = listedBefore && compareExceptions(find(before.facts, before.glossary), listedBefore)
    const counts = new Map(old?.unlisted.map((violation) => [violation.name, violation.count]))
    const list = buildListPath(name)
    return [
      ...unlisted
        .filter((violation) => violation.count > (counts.get(violation.name) ?? 0))
        .map((violation) => `${describePlace(violation)}: ${describeName(violation, listed)}: ${rule}`),
      ...(listedBefore ? findGrowth(listed, listedBefore) : []).map(
        (each) => `${list}: ${each}: the list only shrinks`,
      ),
      ...stale
        .filter((each) => !old?.stale.includes(each))
        .map((each) => `${list}: ${each} follows the rule now. Remove it: npm run house -- write`),
    ]
  })
}

/** Says how many are too many where some are listed. */
function describeName({ name, count }, listed) {
  return listed.has(name) ? `${name} (${count} times, ${listed.get(name)} are listed)` : name
}

function describePlace({ paths, line }) {
  return paths.length === 1 && line ? `${paths[0]}:${line}` : paths.join(', ')
}

/**
 * Faults of names on the lines that the change adds or touches.
 * @param {import('./sources.mjs').TextFile[]} sources
 */
export function findLineFaults(sources, lines = readChangedLines()) {
  if (!lines) return []
  return sources
    .filter(({ path }) => lines.has(path) && findPackage(path))
    .flatMap(({ path, text }) =>
      findFaultsOnLines(readFacts(path, text, { withLocals: true }), lines.get(path)),
    )
}
