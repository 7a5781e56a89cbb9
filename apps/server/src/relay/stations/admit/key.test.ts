import { expect, test } from 'vitest'
import { presentedKey } from './key.ts'

const CHAT = '/v1/chat/completions'

test.each([
  ['Bearer sk-abc', { key: 'abc' }],
  ['bearer   sk-abc ', { key: 'abc' }],
  ['sk-abc', { key: 'abc' }],
  ['abc', { key: 'abc' }],
  ['Bearer sk-abc-12', { key: 'abc', channel: '12' }],
  ['Bearer sk-abc-12-13', { key: 'abc', channel: '12' }],
  ['Bearer bearerkey', { key: 'bearerkey' }],
])('reads the key from %s', (authorization, shown) => {
  expect(presentedKey({ authorization }, CHAT)).toMatchObject(shown)
})

test.each([undefined, '', 'Bearer', 'Bearer ', 'Bearer sk-', 'sk-', `Bearer ${'k'.repeat(300)}`])(
  'finds no key in %s',
  (authorization) => {
    expect(presentedKey(authorization === undefined ? {} : { authorization }, CHAT)).toBeUndefined()
  },
)

test('keeps every character of a key after `sk-`, including a leading s or k', () => {
  expect(presentedKey({ authorization: 'Bearer sk-skkAbs' }, CHAT)).toEqual({
    key: 'skkAbs',
    whole: 'sk-skkAbs',
  })
})

test('reads the key of a Midjourney client from its own header', () => {
  const headers = { authorization: 'midjourney-proxy', 'mj-api-secret': 'sk-abc' }
  expect(presentedKey(headers, CHAT)).toEqual({ key: 'abc', whole: 'sk-abc' })
})

test.each([
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/messages/batches',
  '/claude/v1/messages',
  '/v1/models',
  '/v1/models/claude-haiku-4-5',
])('accepts `x-api-key` on %s', (path) => {
  expect(presentedKey({ 'x-api-key': 'sk-abc' }, path)).toEqual({ key: 'abc', whole: 'sk-abc' })
})

test('ignores `x-api-key` on paths of the OpenAI API', () => {
  expect(presentedKey({ 'x-api-key': 'sk-abc' }, CHAT)).toBeUndefined()
})

test('a websocket sub-protocol is accepted as a key only on the realtime path', () => {
  expect(presentedKey({ 'sec-websocket-protocol': 'openai-insecure-api-key.sk-abc' }, CHAT)).toBeUndefined()
})

test('keeps the whole text beside the key, for keys of another system', () => {
  expect(presentedKey({ authorization: 'Bearer sk-a_b-c-d' }, CHAT)).toEqual({
    key: 'a_b',
    whole: 'sk-a_b-c-d',
    channel: 'c',
  })
  expect(presentedKey({ authorization: 'Bearer sk--begins' }, CHAT)).toMatchObject({ whole: 'sk--begins' })
})
