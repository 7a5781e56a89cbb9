import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const SCOPE = '@tollgate'

export interface CommitTree {
  readonly directory: string
  remove(): void
}

/**
 * Checks a commit out in `directory`, with the installed packages of `root`, so that the two differ by their
 * sources alone.
 */
export function openCommitTree(root: string, commit: string, directory: string): CommitTree {
  const hash = git(root, ['rev-parse', '--verify', `${commit}^{commit}`]).trim()
  // A run that was killed leaves its checkout behind.
  git(root, ['worktree', 'prune'])
  git(root, ['worktree', 'add', '--quiet', '--detach', directory, hash])
  const tree = {
    directory,
    remove: () => void git(root, ['worktree', 'remove', '--force', directory]),
  }
  try {
    linkPackages(root, directory)
    return tree
  } catch (error) {
    tree.remove()
    throw error
  }
}

/** Packages of the workspace are those of the commit, all others those of `root`. */
export function linkPackages(root: string, directory: string): void {
  const from = join(root, 'node_modules')
  const to = join(directory, 'node_modules')
  mkdirSync(join(to, SCOPE), { recursive: true })
  for (const name of readdirSync(from)) if (name !== SCOPE) symlinkSync(join(from, name), join(to, name))
  for (const room of ['packages', 'apps'])
    for (const name of existsSync(join(directory, room)) ? readdirSync(join(directory, room)) : [])
      symlinkSync(join(directory, room, name), join(to, SCOPE, name))
}

function git(root: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  return stdout
}
