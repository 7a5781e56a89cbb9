// Which files a change touches, according to Git.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

/** What a change is compared with: the branch that this one follows, or else the main branch. */
const BASES = ['@{upstream}', 'origin/HEAD', 'main']

/**
 * Paths below the root that differ from where this branch left its base, committed or not, without those that
 * are gone. `undefined` if Git cannot tell, for example because this is no checkout.
 * @returns {string[] | undefined}
 */
export function changedFiles(folder = root) {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    return status === 0 ? stdout.split('\0').filter(Boolean) : undefined
  }
  const bases = BASES.map((name) => git('merge-base', 'HEAD', name)?.[0]?.trim())
  const base = bases.find(Boolean) ?? 'HEAD'
  const changed = git('diff', '--name-only', '-z', base)
  const added = git('ls-files', '--others', '--exclude-standard', '-z')
  if (!changed || !added) return undefined
  return [...new Set([...changed, ...added])].filter((path) => existsSync(join(folder, path)))
}
