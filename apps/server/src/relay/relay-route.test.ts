import { expect, test } from 'vitest'
import { relayRouteOf, isRelayPath, normalisePath } from './relay-route.ts'

test.each([
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['/v1/chat/completions?x=1', '/v1/chat/completions'],
  ['/hf/v1/chat/completions', '/v1/chat/completions'],
  ['//v1//chat/completions/', '/v1/chat/completions'],
  ['/hf/v1/models?x', '/v1/models'],
  ['/v1beta/openai/models', '/v1/models'],
  ['/v1beta/openai/chat/completions', '/v1/chat/completions'],
])('normalises %s', (url, path) => {
  expect(normalisePath(url)).toBe(path)
})

test('every operation works under /hf/v1 too (new-api mixes them up)', () => {
  for (const path of [
    'chat/completions',
    'completions',
    'embeddings',
    'moderations',
    'messages',
    'responses',
    'rerank',
    'images/generations',
    'images/edits',
    'images/variations',
    'audio/speech',
    'audio/transcriptions',
    'audio/translations',
  ]) {
    expect(relayRouteOf('POST', `/hf/v1/${path}`)).toEqual(relayRouteOf('POST', `/v1/${path}`))
    expect(relayRouteOf('POST', `/hf/v1/${path}`).type).toBe('call')
  }
})

test('an engine path gives the model', () => {
  expect(relayRouteOf('POST', '/v1/engines/text-embedding-3-small/embeddings')).toMatchObject({
    type: 'call',
    operation: { name: 'embeddings' },
    path: '/v1/embeddings',
    defaults: { pathModel: 'text-embedding-3-small' },
  })
})

test('a Gemini path gives the model and whether to stream', () => {
  expect(relayRouteOf('POST', '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse')).toMatchObject({
    type: 'call',
    operation: { name: 'generate' },
    defaults: { pathModel: 'gemini-2.5-pro', isStream: true },
  })
  expect(relayRouteOf('POST', '/v1/models/org%2Fm:generateContent')).toMatchObject({
    operation: { name: 'generate' },
    defaults: { pathModel: 'org/m', isStream: false },
  })
  expect(relayRouteOf('POST', '/v1beta/models/m:countTokens')).toMatchObject({
    type: 'count-tokens',
    operation: { name: 'generate' },
    model: 'm',
  })
  expect(relayRouteOf('POST', '/v1beta/models/m:destroy').type).toBe('unknown')
})

test('a Gemini path can request one embedding or a batch', () => {
  for (const action of ['embedContent', 'batchEmbedContents']) {
    expect(relayRouteOf('POST', `/v1beta/models/gemini-embedding-001:${action}`)).toMatchObject({
      type: 'call',
      operation: { name: 'embed' },
      defaults: { pathModel: 'gemini-embedding-001' },
    })
  }
})

test.each([
  ['/dashboard/billing/subscription', 'subscription'],
  ['/v1/dashboard/billing/subscription', 'subscription'],
  ['/dashboard/billing/usage?start_date=2024-01-01', 'usage'],
  ['/v1/dashboard/billing/usage', 'usage'],
])('the legacy billing path %s leads to the %s figures', (path, kind) => {
  expect(isRelayPath(path)).toBe(true)
  expect(relayRouteOf('GET', path)).toEqual({ type: 'figures', kind })
})

test.each([
  ['/v1/generation?id=gen-1', 'generation'],
  ['/v1/key', 'key'],
  ['/v1/auth/key/', 'key'],
  ['/v1/credits', 'credits'],
])('%s reads what concerns the caller: %s', (path, read) => {
  expect(isRelayPath(path)).toBe(true)
  expect(relayRouteOf('GET', path)).toMatchObject({ type: 'own-account', read })
  expect(relayRouteOf('POST', path)).toEqual({ type: 'unknown' })
})

test('a model id may contain slashes, escaped or not', () => {
  expect(relayRouteOf('GET', '/v1/models/meta%2Fllama-3')).toEqual({ type: 'model', model: 'meta/llama-3' })
  expect(relayRouteOf('GET', '/v1/models/meta/llama-3')).toEqual({ type: 'model', model: 'meta/llama-3' })
  expect(relayRouteOf('GET', '/v1/models/%E0%A4%A')).toEqual({ type: 'model', model: '%E0%A4%A' })
})

test.each([
  ['GET', '/v1/realtime'],
  ['GET', '/v1/files'],
  ['DELETE', '/v1/files/file-1'],
  ['GET', '/v1/files/file-1/content'],
  ['POST', '/v1/fine-tunes'],
  ['POST', '/v1/fine-tunes/ft-1/cancel'],
  ['GET', '/v1/fine-tunes/ft-1/events'],
  ['DELETE', '/v1/models/gpt-4o'],
])('%s %s is recognised but not implemented', (method, url) => {
  expect(relayRouteOf(method, url).type).toBe('not-implemented')
})

test.each([
  ['GET', '/v1/chat/completions'],
  ['POST', '/v1/nothing'],
  ['GET', '/v1'],
  ['POST', '/v1/constructor'],
])('%s %s is unknown', (method, url) => {
  expect(relayRouteOf(method, url).type).toBe('unknown')
})

test('the relay handles its own paths and no others', () => {
  const mine = ['/v1/x', '/hf/v1/x', '//v1/x', '/v1', '/v1?x', '/pg/chat/completions', '/v1beta/models']
  const others = ['/api/status', '/v10/x', '/', '/hf/x', '/page', '/v1betas/models']
  expect(mine.filter((path) => !isRelayPath(path))).toEqual([])
  expect(others.filter(isRelayPath)).toEqual([])
})
