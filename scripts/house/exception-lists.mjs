// What broke the rules before they were made. Each rule has a list of names, which only shrinks.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../install.mjs'
import { RULES } from './name-rules.mjs'

/** Path of the list of a rule. Its lines are names, with a number behind a name that is there more than once. */
export const buildListPath = (rule) => `scripts/house/exceptions/${rule}.txt`

/** @returns {Map<string, number>} how often each name may break the rule */
export function parseExceptions(text) {
  const counts = new Map()
  for (const line of text.split('\n').filter(Boolean)) {
    const [name = '', count = '1'] = line.split(' ')
    // Two branches that shorten the list at once leave both of their lines.
    counts.set(name, Math.min(Number(count), counts.get(name) ?? Number.POSITIVE_INFINITY))
  }
  return counts
}

export function formatExceptions(counts) {
  const lines = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => (count === 1 ? name : `${name} ${count}`))
  return lines.map((line) => `${line}\n`).join('')
}

export function readExceptions(rule) {
  return parseExceptions(readFileSync(join(root, buildListPath(rule)), 'utf8'))
}

/**
 * What breaks a rule and is not listed, and what is listed and breaks it no more.
 * @param {import('./name-rules.mjs').Violation[]} violations
 * @param {Map<string, number>} listed
 */
export function compareExceptions(violations, listed) {
  const counts = new Map(violations.map(({ name, count }) => [name, count]))
  return {
    unlisted: violations.filter(({ name, count }) => count > (listed.get(name) ?? 0)),
    stale: [...listed].filter(([name, count]) => count > (counts.get(name) ?? 0)).map(([name]) => name),
  }
}

/** Names that a list has and did not have before. */
export function findGrowth(listed, before) {
  return [...listed].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name)
}

/** Removes from the lists what breaks the rules no more. */
export function shrinkExceptions(facts, glossary) {
  for (const [rule, { find }] of Object.entries(RULES)) {
    const counts = new Map(find(facts, glossary).map(({ name, count }) => [name, count]))
    const kept = [...readExceptions(rule)]
      .map(([name, count]) => [name, Math.min(count, counts.get(name) ?? 0)])
      .filter(([, count]) => count > 0)
    writeFileSync(join(root, buildListPath(rule)), formatExceptions(kept))
  }
}
