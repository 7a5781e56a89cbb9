import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  changedFiles,
  findBase,
  listFilesAt,
  parseChangedLines,
  readChangedLines,
  readFilesAt,
} from './changed-files.mjs'

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

it('knows the lines of the change, all lines of a new file, and the text before it', () => {
  const lines = readChangedLines(folder)
  expect([...(lines?.get('edited.ts') ?? [])]).toEqual([1])
  expect(lines?.get('new file ä.ts')?.has(12)).toBe(true)
  expect(lines?.has('kept.ts')).toBe(false)
  const base = findBase(folder) ?? ''
  expect(listFilesAt(base, '.', folder)).toHaveLength(4)
  expect([...readFilesAt(base, ['gone.ts', 'edited.ts', 'new file ä.ts', 'removed.ts'], folder)]).toEqual([
    ['edited.ts', 'edited.ts'],
    ['removed.ts', 'removed.ts'],
  ])
})

it('counts the lines of a diff that were added, not those that were removed', () => {
  const diff =
    '--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +0,0 @@\n-a\n-b\n@@ -9 +7,3 @@ function f() {\n-c\n+d\n+e\n+f\n'
  expect([...(parseChangedLines(diff).get('x.ts') ?? [])]).toEqual([7, 8, 9])
})
