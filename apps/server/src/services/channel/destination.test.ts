import { defaultChannelSettings } from '@tollgate/providers/channel-settings'
import { providers } from '@tollgate/providers/index'
import { noSecrets } from './secrets/masked-secrets.ts'
import { expect, it } from 'vitest'
import { type Destination, isMoved } from './destination.ts'

const OPENAI = 1
const CODEX = 57
const AZURE = 3
const providerOf = (type: number) => providers.find((provider) => provider.type === type)

function channel(
  fields: Partial<Omit<Destination, 'secrets'>> & { setting?: object; headers?: object },
): Destination {
  const { setting, headers, ...others } = fields
  const secrets = {
    ...noSecrets,
    setting: setting ? JSON.stringify(setting) : '',
    header_override: headers ? JSON.stringify(headers) : '',
  }
  return { type: OPENAI, base_url: '', other: '', ...others, secrets }
}

const moved = (former: Destination, next: Destination) => isMoved(former, next, providerOf(next.type))
const route = { incoming_path: '/v1/chat/completions', upstream_path: '/chat' }

it.each([
  ['its type', {}, { type: 43 }],
  ['its address', {}, { base_url: 'https://other.example' }],
  ['its address back to the usual one', { base_url: 'https://other.example' }, {}],
  ['the path of its address', { base_url: 'https://a.example/x' }, { base_url: 'https://a.example/y' }],
  ['where its sign-in is renewed', { type: CODEX }, { type: CODEX, other: 'https://other.example/token' }],
  ['its region', { type: 41, other: 'us-east5' }, { type: 41, other: 'europe-west1' }],
  ['its account', { type: 39, other: 'one' }, { type: 39, other: 'two' }],
  ['a proxy that was not there', {}, { setting: { proxy: 'http://p.example:1' } }],
  ['a proxy that goes', { setting: { proxy: 'http://p.example:1' } }, {}],
  [
    'the port of its proxy',
    { setting: { proxy: 'http://p.example:1' } },
    { setting: { proxy: 'http://p.example:2' } },
  ],
  [
    'the login of its proxy',
    { setting: { proxy: 'http://p.example' } },
    { setting: { proxy: 'http://u:p@p.example' } },
  ],
  [
    'its routes',
    { setting: { advanced_routes: [route] } },
    { setting: { advanced_routes: [{ ...route, upstream_path: 'https://x.example' }] } },
  ],
  ['a header with the key', {}, { headers: { 'X-Key': 'Token {api_key}' } }],
  [
    'the words around the key',
    { headers: { 'X-Key': '{api_key}' } },
    { headers: { 'X-Key': 'Token {api_key}' } },
  ],
  ['the name beside the key', { headers: { 'X-Key': '{api_key}' } }, { headers: { 'X-Other': '{api_key}' } }],
])('a change of %s moves a channel to another destination', (_what, former, next) => {
  expect(moved(channel(former), channel(next))).toBe(true)
})

it.each([
  ['nothing', {}, {}],
  ['the usual address in words', {}, { base_url: providerOf(OPENAI)?.baseUrl ?? '' }],
  ['a slash behind the address', { base_url: 'https://a.example/' }, { base_url: 'https://a.example' }],
  ['the usual text of its field', { type: 18 }, { type: 18, other: 'v2.1' }],
  ['an API version', { type: AZURE, other: '2024-10-21' }, { type: AZURE, other: '2025-01-01' }],
  ['a field that is not read', {}, { other: 'https://other.example' }],
  [
    'other settings',
    { setting: { proxy: 'http://p.example' } },
    { setting: { force_format: true, proxy: ' http://p.example/ ' } },
  ],
  [
    'a header without the key',
    { headers: { 'X-Key': '{api_key}' } },
    { headers: { 'X-Key': '{api_key}', 'X-Team': 'red' } },
  ],
  ['a header that goes', { headers: { 'X-Key': '{api_key}' } }, {}],
])('a change of %s keeps the destination of a channel', (_what, former, next) => {
  expect(moved(channel(former), channel(next))).toBe(false)
})

const HOSTILE = [
  'evil.example/',
  '@evil.example/',
  '#',
  '?x',
  '//evil.example',
  '../..',
  'https://evil.example',
  '.evil.example',
  '%2e',
]

it('a field with staysAtOrigin never leads to another origin, whatever its value', () => {
  const staying = providers.filter(({ other }) => other?.staysAtOrigin)
  expect(staying.map(({ id }) => id).sort()).toEqual(['azure', 'coze', 'library', 'qwen', 'spark'])
  const wayfarers = staying.flatMap((provider) =>
    Object.entries(provider.endpoints).flatMap(([operation, ways]) =>
      ways.map((way) => ({ provider, operation, way })),
    ),
  )
  let urls = 0
  for (const { provider, way } of wayfarers)
    for (const other of HOSTILE) {
      const baseUrl = provider.baseUrl ?? 'https://home.example'
      const upstream = {
        channelId: 1,
        type: provider.type,
        baseUrl,
        key: 'a|b|c',
        other,
        organization: '',
        createdTime: 0,
        settings: defaultChannelSettings,
      }
      const outgoing = {
        operation: 'chat',
        model: 'm',
        isStream: false,
        query: new URLSearchParams(),
        body: {},
      } as const
      const { host } = new URL(way.url(outgoing, upstream).replace(/^ws/, 'http'))
      expect(host, `${provider.id} with ${other}`).toBe(new URL(baseUrl).host)
      urls++
    }
  expect(urls).toBeGreaterThan(100)
})
