// Which files and lines a change touches, according to Git.
import { spawnSync } from 'node:child_process'
import { root } from './install.mjs'

/** What a change is compared with: the branch that this one follows, or else the main branch. */
const BASES = ['@{upstream}', 'origin/HEAD', 'main']

/**
 * Paths below the root that differ from where this branch left its base, committed or not, also of files that are
 * gone. `undefined` if Git cannot tell, because this is no checkout, or is the main branch and follows none.
 * @returns {string[] | undefined}
 */
export function changedFiles(folder = root) {
  const base = findBase(folder)
  if (base === undefined) return undefined
  const changed = splitPaths(runGit(folder, 'diff', '--name-only', '--no-renames', '-z', base))
  const added = listUntracked(folder)
  return changed && added && [...new Set([...changed, ...added])]
}

/**
 * The lines that a change adds or touches, by path. A file that moved counts where it differs.
 * @returns {Map<string, Set<number>> | undefined}
 */
export function readChangedLines(folder = root) {
  const base = findBase(folder)
  const diff = base && runGit(folder, '-c', 'core.quotePath=false', ...DIFF_LINES, base)
  const added = base && listUntracked(folder)
  if (diff === undefined || added === undefined) return undefined
  const lines = parseChangedLines(diff)
  for (const path of added) lines.set(path, EVERY_LINE)
  return lines
}

const DIFF_LINES = ['diff', '--unified=0', '--find-renames', '--no-color', '--no-ext-diff', '--dst-prefix=b/']

/** The lines of a file that Git does not have yet. */
const EVERY_LINE = { has: () => true }

/** @param {string} diff without context */
export function parseChangedLines(diff) {
  const lines = new Map()
  let current = new Set()
  for (const line of diff.split('\n')) {
    const path = /^\+\+\+ b\/([^\t]+)/.exec(line)?.[1]
    if (path) lines.set(path, (current = new Set()))
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (start) for (let index = 0; index < Number(count); index += 1) current.add(Number(start) + index)
  }
  return lines
}

/** Paths of all files below `path` in a commit. */
export function listFilesAt(commit, path, folder = root) {
  return splitPaths(runGit(folder, 'ls-tree', '-r', '-z', '--name-only', commit, '--', path)) ?? []
}

/**
 * Reads files as they are in a commit. A path that the commit does not have is left out.
 * @param {string} commit
 * @param {string[]} paths
 * @returns {Map<string, string>}
 */
export function readFilesAt(commit, paths, folder = root) {
  const input = paths.map((path) => `${commit}:${path}\n`).join('')
  const { stdout } = spawnSync('git', ['cat-file', '--batch'], { cwd: folder, input, maxBuffer: 2 ** 28 })
  const texts = new Map()
  let position = 0
  for (const path of paths) {
    const end = stdout.indexOf('\n', position)
    const size = Number(/ blob (\d+)$/.exec(stdout.toString('utf8', position, end))?.[1])
    position = end + 1
    if (Number.isNaN(size)) continue
    texts.set(path, stdout.toString('utf8', position, position + size))
    position += size + 1
  }
  return texts
}

/** The commit where this branch left its base. `undefined` on the main branch if it follows none. */
export function findBase(folder = root) {
  const own = runGit(folder, 'branch', '--show-current')?.trim()
  const bases = BASES.filter((name) => name !== own)
  return bases.map((name) => runGit(folder, 'merge-base', 'HEAD', name)?.trim()).find(Boolean)
}

function listUntracked(folder) {
  return splitPaths(runGit(folder, 'ls-files', '--others', '--exclude-standard', '-z'))
}

function splitPaths(output) {
  return output?.split('\0').filter(Boolean)
}

function runGit(cwd, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  return status === 0 ? stdout : undefined
}
