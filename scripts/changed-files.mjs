// Which files a change touches, according to Git.
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
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    return status === 0 ? stdout.split('\0').filter(Boolean) : undefined
  }
  const own = git('branch', '--show-current')?.[0]?.trim()
  const bases = BASES.filter((name) => name !== own)
  const base = bases.map((name) => git('merge-base', 'HEAD', name)?.[0]?.trim()).find(Boolean)
  if (base === undefined) return undefined
  const changed = git('diff', '--name-only', '-z', base)
  const added = git('ls-files', '--others', '--exclude-standard', '-z')
  if (!changed || !added) return undefined
  return [...new Set([...changed, ...added])]
}
