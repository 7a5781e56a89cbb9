// The words that names are made of: verbs, participles, and words that say too little.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../install.mjs'

/** One verb a line; a missing one is added there. */
const VERBS = new Set(readFileSync(join(root, 'scripts/house/verbs.txt'), 'utf8').trim().split('\n'))

/** First words of functions beside verbs: predicates, conversions, hooks of React, handlers of events. */
const OTHER_FIRST_WORDS = new Set(['is', 'has', 'can', 'to', 'from', 'with', 'without', 'on'])

export function hasVerb(name) {
  const [first = ''] = splitWords(name)
  return VERBS.has(first) || OTHER_FIRST_WORDS.has(first)
}

/** The words of a name in lower case: `readHTTPHead2` is `read`, `http`, `head2`. */
export function splitWords(name) {
  const words = name.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g) ?? []
  return words.map((word) => word.toLowerCase())
}

const IRREGULAR_PARTICIPLES = new Set(
  (
    'begun born bought bound broken brought built caught chosen come cut done drawn driven fallen fed felt forbidden ' +
    'forgotten found frozen given gone got grown heard held hidden hit kept known laid led left lent lost made meant met ' +
    'paid put read run said seen sent set shown shut sold spent split spoken stood stuck sunk swept taken taught thought ' +
    'thrown told understood withdrawn withheld woken won worn written'
  ).split(' '),
)
const NOUNS_LIKE_PARTICIPLES = new Set(
  'bed embed feed need seed shed speed king ping ring spring string thing wing'.split(' '),
)

/** Whether the whole name of a type is a participle, such as `Held` or `Asking`. */
export function isParticiple(name) {
  const [word = '', ...others] = splitWords(name)
  if (others.length > 0 || NOUNS_LIKE_PARTICIPLES.has(word)) return false
  return /(?:ed|ing)$/.test(word) || IRREGULAR_PARTICIPLES.has(word)
}

/** Names of locals that say what happened to a value, not what it is. */
export const REFUSED_LOCALS = new Set(
  'asked found given known left made reported said told wanted'.split(' '),
)

/**
 * The nouns that may be a whole name of a type: the first column of the glossary's tables of words.
 * @param {string} glossary text of docs/glossary.md
 * @returns {Set<string>} in lower case
 */
export function readGlossaryNouns(glossary) {
  const [words = ''] = glossary.split('\n## Retired words')
  const rows = words.replaceAll('| word | meaning |', '').matchAll(/^\| ([^|`]+) \| [^|]+ \|$/gm)
  return new Set([...rows].flatMap(([, cell]) => cell.split(', ').map((word) => word.trim().toLowerCase())))
}
