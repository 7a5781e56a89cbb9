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
