import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programArgs } from '@tollgate/testkit/program'
import { expect, it } from 'vitest'

const COMMAND = [process.execPath, ...programArgs('start')].map((part) => `"${part}"`).join(' ')

/** A shell limit on the file size simulates a full disk. */
it.each([0, 8, 120])('with %i KiB of disk space it refuses to start, with one line', (kibibytes) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-full-'))
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['--norc', '-c', `ulimit -f ${kibibytes}; exec ${COMMAND}`],
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
