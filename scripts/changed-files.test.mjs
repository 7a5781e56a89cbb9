import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changedFiles } from './changed-files.mjs'

let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-changed-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
function git(...args) {
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}
const write = (name, text = name) => writeFileSync(join(folder, name), text)

it('cannot tell outside a checkout, and on a main branch that follows no other', () => {
  expect(changedFiles(folder)).toBeUndefined()
  git('init', '--quiet', '--initial-branch=main')
  for (const name of ['kept.ts', 'removed.ts', 'edited.ts', 'committed.ts']) write(name)
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  expect(changedFiles(folder)).toBeUndefined()
})

it('knows changes since the branch that this one follows', () => {
  git('switch', '--quiet', '--create=topic', '--track')
  expect(changedFiles(folder)).toEqual([])
  write('committed.ts', 'changed')
  git('commit', '--quiet', '--all', '--message=second')
  write('edited.ts', 'changed')
  write('new file ä.ts')
  unlinkSync(join(folder, 'removed.ts'))
  expect(changedFiles(folder)?.toSorted()).toEqual([
    'committed.ts',
    'edited.ts',
    'new file ä.ts',
    'removed.ts',
  ])
})
