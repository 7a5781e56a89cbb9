// A fix and a gain in speed say why, in the body of their commit. The rule holds for the commits after the one that
// added this file.
import { spawnSync } from 'node:child_process'
import { root } from '../install.mjs'

const NEEDS_REASON = /^(?:fix|perf)(?:\([a-z0-9-]+\))?!?: /
/** Lines such as `Co-authored-by: …` give no reason. */
const TRAILER = /^[A-Z][\w-]*: \S/

/**
 * Returns what is wrong with a commit, or undefined.
 * @param {string} message subject, empty line and body
 */
export function findBodyFault(message) {
  const [subject = '', ...body] = message.split('\n')
  if (!NEEDS_REASON.test(subject)) return undefined
  const hasReason = body.some((line) => line.trim() !== '' && !TRAILER.test(line))
  return hasReason ? undefined : 'a fix and a gain in speed give the reason in the body'
}

/** Faults of the commits after the one that added this file. */
export function findBodyFaults() {
  return findCommits(
    runGit('log', '--diff-filter=A', '--format=%H', '-1', '--', 'scripts/text/commit-bodies.mjs'),
  )
    .filter(({ message }) => findBodyFault(message))
    .map(({ hash, message }) => `commit ${hash} ${message.split('\n')[0]}: ${findBodyFault(message)}`)
}

/** Commits without a reason since the figures of `npm run house` changed. */
export function findCommitsWithoutBody() {
  return findCommits(runGit('log', '--format=%H', '-1', '--', 'scripts/house/figures.txt'))
    .filter(({ message }) => findBodyFault(message))
    .map(({ hash, message }) => `${hash} ${message.split('\n')[0]}`)
}

function findCommits(since) {
  if (!since) return []
  return runGit('log', '--no-merges', '-z', '--format=%h %B', `${since}..HEAD`)
    .split('\0')
    .filter(Boolean)
    .map((text) => ({ hash: text.slice(0, text.indexOf(' ')), message: text.slice(text.indexOf(' ') + 1) }))
}

function runGit(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}
