import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { expect, test } from 'vitest'
import { logTo } from './logging.ts'

function linesOf(write: (log: ReturnType<typeof logTo>) => void): string {
  const lines: string[] = []
  write(logTo({ write: (line) => void lines.push(line) }, 'info'))
  return lines.join('')
}

test.each([
  ['by name', { headers: { authorization: 'canary', cookie: 'canary' }, password: 'canary' }],
  ['by the pattern of a key', { text: 'upstream said: sk-canary0123456789 is wrong' }],
  ['by the pattern of a bearer token', { text: 'Authorization: Bearer canary.canary.canary' }],
  ['inside an error', { error: new Error('no access with sk-proj-canary0123456789') }],
  ['inside a cause', { err: new Error('outer', { cause: new Error('Bearer canarycanary') }) }],
])('a secret is hidden %s', (_name, details) => {
  const text = linesOf((log) => log.error(details, 'it failed'))
  expect(text).not.toContain('canary')
  expect(text).toContain('it failed')
})

test('values that are not secret are logged', () => {
  expect(linesOf((log) => log.info({ channelId: 7, model: 'gpt-4o' }, 'tested'))).toContain(
    '"model":"gpt-4o"',
  )
})

/** The only thread that writes to files is busy when the lines are logged. */
const BUSY = `
  import { pbkdf2 } from 'node:crypto'
  import { openLog } from ${JSON.stringify(import.meta.resolve('./logging.ts'))}
  pbkdf2('', '', 300_000, 64, 'sha512', () => undefined)
  const { log, print } = openLog({ logLevel: 'info', logFormat: 'json' })
  log.warn('logged before')
  print('Tollgate is ready')
`

test('a printed line comes after the lines that were logged before it', () => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', BUSY], {
    encoding: 'utf8',
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  })
  expect(stdout.trim().split('\n')).toEqual([expect.stringContaining('logged before'), 'Tollgate is ready'])
})
