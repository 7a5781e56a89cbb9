// Checks the subjects of commits against the rule in CONTRIBUTING.md.
import { spawnSync } from 'node:child_process'
import { root } from '../install.mjs'

const LENGTH_MAX = 72
const FORM = /^(?:feat|fix|refactor|docs|test|build|ci|perf|style|chore)(?:\([a-z0-9-]+\))?: (\S+) \S/
/** Words that begin a description of the code, not an order such as `read cached tokens`. */
const NO_VERB =
  /^(?:an?|the|this|that|its?|all|each|every|no|not|one|two|more|what|which|who|when|where|how|in|on|of|for|with|some|now|also|there)$/

/**
 * Returns what is wrong with a subject, or undefined.
 * @param {string} subject
 */
export function faultOfSubject(subject) {
  if (subject.length > LENGTH_MAX) return `longer than ${LENGTH_MAX} characters`
  const verb = FORM.exec(subject)?.[1]
  if (!verb) return 'not of the form type(scope): verb and object'
  if (!/^[a-z]/.test(verb) || NO_VERB.test(verb)) return 'does not begin with a verb'
  return subject.endsWith('.') ? 'ends with a full stop' : undefined
}

/** Faults of the commits after the one that added this file. Without history there is nothing to check. */
export function findCommitFaults() {
  const since = git('log', '--diff-filter=A', '--format=%H', '-1', '--', 'scripts/text/commit-subjects.mjs')
  if (!since) return []
  return git('log', '--no-merges', '--format=%h %s', `${since}..HEAD`)
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const fault = faultOfSubject(line.slice(line.indexOf(' ') + 1))
      return fault ? [`commit ${line}: ${fault}`] : []
    })
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}
