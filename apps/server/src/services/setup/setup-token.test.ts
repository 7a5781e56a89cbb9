import { expect, test } from 'vitest'
import { openSetupToken } from './setup-token.ts'

const key = Buffer.from('session key of the tests')
const tokenOf = (sessionKey: Buffer) =>
  /#token=(\w+)/.exec(
    openSetupToken({ chosen: undefined, sessionKey }).instruction('http://localhost'),
  )?.[1] ?? ''

test('processes with the same session secret derive the same token, and another secret gives another token', () => {
  const token = tokenOf(key)
  expect(token).toMatch(/^[0-9a-f]{32}$/)
  expect(tokenOf(key)).toBe(token)
  expect(tokenOf(Buffer.from('another key'))).not.toBe(token)
  const { isRight } = openSetupToken({ chosen: undefined, sessionKey: key })
  expect([token, ` ${token}\n`].map(isRight)).toEqual([true, true])
  expect(['', token.slice(1), token.toUpperCase(), `${token}0`, 'undefined'].map(isRight)).not.toContain(true)
})

test('a chosen token replaces the derived one and does not appear in the instruction', () => {
  const chosen = 'a token that the operator chose'
  const setupToken = openSetupToken({ chosen, sessionKey: key })
  expect(setupToken.isRight(chosen)).toBe(true)
  expect(setupToken.isRight(tokenOf(key))).toBe(false)
  expect(setupToken.instruction('http://localhost')).not.toContain(chosen)
})
