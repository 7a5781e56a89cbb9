import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { linkPackages } from './commit-tree.ts'

it('gives a commit its own packages of the workspace, and all others of the checkout', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-commit-')))
  try {
    const [root, commit] = [join(home, 'root'), join(home, 'commit')]
    for (const folder of ['node_modules/hono', 'node_modules/.bin', 'packages/kit'])
      mkdirSync(join(root, folder), { recursive: true })
    mkdirSync(join(root, 'node_modules/@tollgate'))
    for (const folder of ['packages/kit', 'apps/server']) mkdirSync(join(commit, folder), { recursive: true })
    writeFileSync(join(root, 'node_modules/hono/index.js'), '')
    linkPackages(root, commit)
    const real = (path: string) => realpathSync(join(commit, 'node_modules', path))
    expect(real('hono/index.js')).toBe(join(root, 'node_modules/hono/index.js'))
    expect(real('@tollgate/kit')).toBe(join(commit, 'packages/kit'))
    expect(real('@tollgate/server')).toBe(join(commit, 'apps/server'))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
