import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'make-folder-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a folder is made with those above it, for its owner alone', () => {
  makeFolder(join(folder, 'a', 'b'))
  makeFolder(join(folder, 'a', 'b'))
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'a', 'b')).isDirectory()).toBe(true)
})

test.each(['below a file', 'below /proc', 'with an empty byte'])(
  'a folder that cannot be made is an error at once: %s',
  (kind) => {
    writeFileSync(join(folder, 'file'), '')
    const paths: Record<string, string> = {
      'below a file': join(folder, 'file', 'x'),
      'below /proc': '/proc/tollgate-nowhere/x',
      'with an empty byte': `${folder}/\0`,
    }
    if (kind === 'below /proc' && process.platform !== 'linux') return
    expect(() => makeFolder(paths[kind] ?? '')).toThrow()
  },
)
