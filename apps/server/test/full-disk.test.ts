import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts')

/** A shell limit on the file size simulates a full disk. */
it.each([0, 8, 120])('with %i KiB of disk space it refuses to start, with one line', (kibibytes) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-full-'))
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['--norc', '-c', `ulimit -f ${kibibytes}; exec "${process.execPath}" "${MAIN}"`],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        HOST: '127.0.0.1',
        SESSION_SECRET: 'session secret of the tests',
        CRYPTO_SECRET: 'crypto secret of the tests',
      },
    },
  )
  rmSync(folder, { recursive: true })
  expect(status).toBe(1)
  expect(stdout).toBe('')
  const lines = stderr.trimEnd().split('\n')
  expect(lines).toEqual([
    'Tollgate cannot start.',
    expect.stringMatching(/cannot be written .*room on it\.$/),
  ])
})
