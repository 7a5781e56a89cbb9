import { readAsk } from '@tollgate/dialects/ask'
import { expect, it } from 'vitest'
import { advanced } from './index.ts'
import { findInvalidRoute } from './routes.ts'
import { defaultChannelSettings, readChannelSettings } from '../channel-settings.ts'
import { prepareAttempt } from '../../test/prepare-attempt.ts'
import { resolveEndpoint } from '../prepare/resolve-endpoint.ts'

const setting = {
  advanced_routes: [
    {
      incoming_path: '/v1/chat/completions',
      upstream_path: '/claude/{model}/messages',
      converter: 'chat_to_messages',
      models: ['re:^claude-', 'opus'],
      auth: { type: 'header', name: 'X-Key', value: 'Token {api_key}' },
    },
    { incoming_path: '/v1/chat/completions', upstream_path: 'https://other.example.net/v2/chat?a=1' },
    {
      incoming_path: '/v1beta/models/{model}:generateContent',
      upstream_path: '/gemini/{model}:generateContent',
      auth: { type: 'query', name: 'key' },
    },
    { incoming_path: '/v1/embeddings', upstream_path: '/embed', auth: { type: 'none' }, models: ['e-1'] },
    { incoming_path: '/v1/chat/completions', upstream_path: '/never', models: ['re:('] },
    { incoming_path: '/v1/unheard-of', upstream_path: '/never' },
    'no route',
  ],
}

const provider = advanced.forChannel?.({ key: 'k&1', settings: readChannelSettings(setting) }) ?? advanced

function sent(
  operation: 'chat' | 'generate' | 'embeddings',
  body: Record<string, unknown>,
  isStream = false,
) {
  const ask = readAsk(operation, Buffer.from(JSON.stringify({ model: 'm', ...body })), { isStream })
  const upstream = {
    channelId: 1,
    type: 58,
    baseUrl: 'https://a.example.net/base',
    key: 'k&1',
    other: '',
    organization: '',
    createdTime: 0,
    settings: readChannelSettings(setting),
  }
  const { model } = ask
  return prepareAttempt({ provider, upstream, operation, ask, model, isStream, query: new URLSearchParams() })
}

const messages = [{ role: 'user', content: 'hi' }]

it.each(['claude-x', 'opus'])('uses the first route that matches model %s', (model) => {
  const { url, headers, operation } = sent('chat', { model, messages })
  expect([url, operation]).toEqual([`https://a.example.net/base/claude/${model}/messages`, 'messages'])
  expect(headers).toMatchObject({ 'x-key': 'Token k&1', 'anthropic-version': '2023-06-01' })
  expect(headers).not.toHaveProperty('authorization')
})

it('uses an absolute upstream address, with the key as a bearer token', () => {
  const { url, headers } = sent('chat', { model: 'gpt', messages })
  expect([url, headers['authorization']]).toEqual(['https://other.example.net/v2/chat?a=1', 'Bearer k&1'])
})

it('puts the key into the query string and requests a stream in the URL', () => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  expect(sent('generate', { contents }, true).url).toBe(
    'https://a.example.net/base/gemini/m:streamGenerateContent?alt=sse&key=k%261',
  )
})

it('sends no key when the route wants none, and serves no operation that has no route', () => {
  const { url, headers } = sent('embeddings', { model: 'e-1', input: 'a' })
  expect([url, headers['authorization']]).toEqual(['https://a.example.net/base/embed', undefined])
  expect(resolveEndpoint(provider, 'embeddings', 'e-2')).toBeUndefined()
  expect(resolveEndpoint(provider, 'moderations')).toBeUndefined()
})

it('serves all operations without a table', () => {
  expect(advanced.forChannel?.({ key: '', settings: defaultChannelSettings })).toBe(advanced)
})

const good = { incoming_path: '/v1/chat/completions', upstream_path: '/chat' }

it.each([
  ['incoming_path', 'no route'],
  ['incoming_path', { upstream_path: '/chat' }],
  ['incoming_path', { ...good, incoming_path: '/v1/unheard-of' }],
  ['converter', { ...good, converter: 'chat_to_nowhere' }],
  ['converter', { ...good, converter: 7 }],
  ['upstream_path', { incoming_path: '/v1/chat/completions' }],
  ['upstream_path', { ...good, upstream_path: 'chat' }],
  ['models', { ...good, models: ['re:('] }],
  ['models', { ...good, models: 'gpt-4o' }],
  ['models', { ...good, models: [7] }],
  ['auth', { ...good, auth: 'bearer' }],
  ['auth', { ...good, auth: { type: 'cookie' } }],
  ['auth', { ...good, auth: { type: 'header' } }],
])('reports that member %s of a route is wrong: %j', (member, row) => {
  expect(findInvalidRoute([good, row])).toEqual({ place: 2, member })
})

it('reports no error for valid routes', () => {
  expect(findInvalidRoute(setting.advanced_routes.slice(0, 4))).toBeUndefined()
  expect(findInvalidRoute([])).toBeUndefined()
})
