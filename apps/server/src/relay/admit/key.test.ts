import { expect, test } from 'vitest'
import { shownKey } from './key.ts'

const CHAT = '/v1/chat/completions'

test.each([
  ['Bearer sk-abc', { key: 'abc' }],
  ['bearer   sk-abc ', { key: 'abc' }],
  ['sk-abc', { key: 'abc' }],
  ['abc', { key: 'abc' }],
  ['Bearer sk-abc-12', { key: 'abc', channel: '12' }],
  ['Bearer sk-abc-12-13', { key: 'abc', channel: '12' }],
  ['Bearer bearerkey', { key: 'bearerkey' }],
])('reads %s', (authorization, shown) => {
  expect(shownKey({ authorization }, CHAT)).toEqual(shown)
})

test.each([undefined, '', 'Bearer', 'Bearer ', 'Bearer sk-', 'sk-', `Bearer ${'k'.repeat(300)}`])(
  'finds no key in %s',
  (authorization) => {
    expect(shownKey(authorization === undefined ? {} : { authorization }, CHAT)).toBeUndefined()
  },
)

test('keeps every character of a key, also a leading s, k or hyphen-like run', () => {
  expect(shownKey({ authorization: 'Bearer sk-skkAbs' }, CHAT)).toEqual({ key: 'skkAbs' })
})

test('a drawing client shows its secret in its own header', () => {
  const headers = { authorization: 'midjourney-proxy', 'mj-api-secret': 'sk-abc' }
  expect(shownKey(headers, CHAT)).toEqual({ key: 'abc' })
})

test.each([
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/messages/batches',
  '/claude/v1/messages',
  '/v1/models',
  '/v1/models/claude-haiku-4-5',
])('x-api-key counts on %s', (path) => {
  expect(shownKey({ 'x-api-key': 'sk-abc' }, path)).toEqual({ key: 'abc' })
})

test('x-api-key counts on no path of another family', () => {
  expect(shownKey({ 'x-api-key': 'sk-abc' }, CHAT)).toBeUndefined()
})

test('relay 2b: a web socket sub-protocol is not a key outside of realtime', () => {
  expect(shownKey({ 'sec-websocket-protocol': 'openai-insecure-api-key.sk-abc' }, CHAT)).toBeUndefined()
})
