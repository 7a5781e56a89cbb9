import { expect, test } from 'vitest'
import { showPath } from './access-log.ts'

test.each([
  ['/v1/models', '/v1/models'],
  [
    '/v1beta/models/gemini-2.5-pro:generateContent?key=AIzaSecret',
    '/v1beta/models/gemini-2.5-pro:generateContent',
  ],
  ['/api/oauth/github?code=abc&state=x', '/api/oauth/github'],
  ['/api/user/1#fragment', '/api/user/1'],
  ['/v1/sk-abcdefgh/chat/completions', '/v1/[hidden]/chat/completions'],
  [`/v1/${'aB3'.repeat(16)}`, '/v1/[hidden]'],
  [`/x/${'0a'.repeat(16)}`, '/x/[hidden]'],
  ['/v1/models/claude-3-5-sonnet-20241022-long-name', '/v1/models/claude-3-5-sonnet-20241022-long-name'],
  ['//', '//'],
  ['', ''],
  [`/${'a/'.repeat(400)}`, `/${'a/'.repeat(400)}`.slice(0, 256)],
])('the path of %s is shown without secrets', (url, path) => {
  expect(showPath(url)).toBe(path)
})
