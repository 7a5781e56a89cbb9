import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { cookieValue, sessionIdOf } from './session-cookie.ts'

const OURS = 'a'.repeat(43)
const PLANTED = 'b'.repeat(43)

function requestWith(cookie: string): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers: { cookie } })
}

test('the session is read from its cookie, regardless of other cookies', () => {
  expect(sessionIdOf(requestWith(`session=${OURS}`))).toBe(OURS)
  expect(sessionIdOf(requestWith(`theme=dark; session=${OURS}; my_session=x; Session=y`))).toBe(OURS)
  expect(sessionIdOf(requestWith('session=short'))).toBeUndefined()
  expect(sessionIdOf(requestWith(''))).toBeUndefined()
})

test.each([
  `session=${PLANTED}; session=${OURS}`,
  `session=${OURS}; session=${PLANTED}`,
  `session=${OURS};session=${OURS}`,
  `session=; session=${OURS}`,
  `session=short; theme=dark; session=${OURS}`,
  `session; session=${OURS}`,
])('two cookies named session are refused, so that a planted one never counts: %s', (cookie) => {
  expect(() => sessionIdOf(requestWith(cookie))).toThrow('more than once')
})

test('two sign_in cookies are refused', () => {
  const cookie = `sign_in=${OURS}; sign_in=${PLANTED}`
  expect(() => cookieValue(requestWith(cookie), 'sign_in')).toThrow('more than once')
})
