import type { RouteDefinition } from '@tollgate/contract/route'
import { expect, test } from 'vitest'
import { openGuard } from './guard.ts'
import type { Actor, GuardQuestion } from './handler.ts'

const HOUR_MS = 3_600_000
const nowMs = 1_000 * HOUR_MS

const admin: Actor = {
  id: 2,
  username: 'admin',
  role: 10,
  group: 'default',
  via: 'session',
  provenMs: nowMs - HOUR_MS,
  provenBy: 'password',
}
const root: Actor = { ...admin, id: 1, role: 100 }
const script: Actor = { ...root, via: 'access-token', provenMs: 0 }
const stale: Actor = { ...root, provenMs: nowMs - 13 * HOUR_MS }
const justNow: Actor = { ...root, provenMs: nowMs - 60_000 }

type Rule = Pick<RouteDefinition, 'access' | 'signIn' | 'guardedWhen' | 'shownWhen'>
const open = (rule: Rule, actor: Actor | undefined) =>
  openGuard({ method: 'PUT', path: '/api/thing', ...rule }, { actor, nowMs })

test.each([
  ['recent', 'an access token', script, 'recent_sign_in_needed'],
  ['recent', 'a session of yesterday', stale, 'recent_sign_in_needed'],
  ['recent', 'a session of this morning', root, undefined],
  ['fresh', 'an access token', script, 'fresh_sign_in_needed'],
  ['fresh', 'a session of this morning', root, 'fresh_sign_in_needed'],
  ['fresh', 'a session of a minute ago', justNow, undefined],
  ['any', 'an access token', script, undefined],
] as const)('a route that requires a %s sign-in handles %s correctly', (signIn, _who, actor, code) => {
  const opening = () => open({ access: 'root', signIn }, actor)
  if (code === undefined) expect(opening).not.toThrow()
  else expect(opening).toThrow(code)
})

test('an access token never counts as a recent sign-in, whatever its actor claims', () => {
  const claims: Actor = { ...script, provenMs: nowMs }
  expect(() => open({ access: 'root', signIn: 'recent' }, claims)).toThrow('recent_sign_in_needed')
})

test('a public route requires nothing from a visitor who is not signed in', () => {
  expect(() => open({ access: 'public', signIn: 'recent' }, undefined)).not.toThrow()
})

const keyed: Rule = {
  access: 'admin',
  signIn: 'any',
  guardedWhen: {
    condition: 'the destination of a key changes',
    signIn: 'recent',
    access: 'root',
    orSecretAgain: true,
  },
}

test.each<[string, Actor, GuardQuestion, string | undefined]>([
  ['the condition does not hold', script, { when: false }, undefined],
  ['a script sends no secret', script, { when: true }, 'recent_sign_in_needed'],
  ['a script sends the secret again', script, { when: true, hasSecret: true }, undefined],
  ['the super admin signed in this morning', root, { when: true }, undefined],
  ['who may not see the secret sends none', admin, { when: true }, 'secret_needed_again'],
  ['who may not see the secret sends it again', admin, { when: true, hasSecret: true }, undefined],
])('a condition is evaluated when %s', (_title, actor, question, code) => {
  const guard = open(keyed, actor)
  if (code === undefined) expect(() => guard.require(question)).not.toThrow()
  else expect(() => guard.require(question)).toThrow(code)
})

test('sending the secret again does not help where the route does not allow it', () => {
  const guard = open(
    { access: 'user', signIn: 'any', guardedWhen: { condition: 'x', signIn: 'fresh' } },
    root,
  )
  expect(() => guard.require({ when: true, hasSecret: true })).toThrow('fresh_sign_in_needed')
})

test('a handler must check the declared condition and may not check an undeclared one', () => {
  expect(() => open(keyed, root).checkAsked()).toThrow('asks its guard in every call')
  const asked = open(keyed, root)
  asked.require({ when: false })
  expect(() => asked.checkAsked()).not.toThrow()
  const plain = open({ access: 'root', signIn: 'any' }, root)
  expect(() => plain.checkAsked()).not.toThrow()
  expect(() => plain.require({ when: false })).toThrow('declares the condition')
})

test.each([
  ['a session of this morning', root, true, true],
  ['a session of this morning, without the condition', root, false, false],
  ['a session of yesterday', stale, true, false],
  ['an access token', script, true, false],
  ['nobody', undefined, true, false],
] as const)('a secret in a response is shown or hidden correctly for %s', (_who, actor, when, expected) => {
  const guard = open(
    { access: 'public', signIn: 'any', shownWhen: { condition: 'asked', signIn: 'recent' } },
    actor,
  )
  expect(() => guard.checkAsked()).toThrow('asks its guard in every call')
  expect(guard.mayShow({ when })).toBe(expected)
  expect(() => guard.checkAsked()).not.toThrow()
})
