import { traitsOf } from '@tollgate/dialects/traits/lookup'
import { expect, it } from 'vitest'
import { type ChannelSettings, defaultChannelSettings, readChannelSettings } from './channel-settings.ts'

const defaults: ChannelSettings = {
  proxy: undefined,
  passesBody: false,
  systemPrompt: undefined,
  canStream: true,
  canOnlyStream: false,
  thinkingToContent: false,
  forceFormat: false,
  showsUpstreamModel: false,
  allowsServerTools: true,
  allowsStoredContext: false,
  allowsKeptResponses: false,
  traitsOf,
  routeTable: [],
  azureResponsesVersion: undefined,
  hasClaudeBetaQuery: false,
  allowsServiceTier: false,
  allowsInferenceGeo: false,
  allowsSpeed: false,
  allowsSafetyIdentifier: true,
  allowsStore: true,
  affinitySeconds: undefined,
  passesSockets: false,
  allowsOtherModels: true,
  sendsTraceContext: false,
  chargesServedIfCheaper: false,
  resendsClosed: false,
  keepsReasoning: true,
  account: undefined,
  keyAccounts: new Map(),
}

it('a channel without settings has the defaults', () => {
  expect(defaultChannelSettings).toEqual(defaults)
})

it.each<[object, Partial<ChannelSettings>]>([
  [{ proxy: ' http://proxy.test ' }, { proxy: ' http://proxy.test ' }],
  [{ proxy: '' }, {}],
  [{ pass_through_body_enabled: true }, { passesBody: true }],
  [{ system_prompt: 'Be brief' }, { systemPrompt: { text: 'Be brief', goesFirst: false } }],
  [{ system_prompt: '', system_prompt_override: true }, { systemPrompt: { text: '', goesFirst: true } }],
  [{ stream_support: 'Non_Stream_Only' }, { canStream: false }],
  [{ thinking_to_content: true }, { thinkingToContent: true }],
  [{ force_format: true }, { forceFormat: true }],
  [{ server_tools: false }, { allowsServerTools: false }],
  [{ stored_context: true }, { allowsStoredContext: true, allowsKeptResponses: true }],
  [{ stored_context: 'as_before' }, { allowsStoredContext: true }],
  [{ advanced_routes: [{ incoming_path: '/v1' }, 1, null] }, { routeTable: [{ incoming_path: '/v1' }] }],
  [{ azure_responses_version: 'v9' }, { azureResponsesVersion: 'v9' }],
  [{ azure_responses_version: '' }, {}],
  [{ claude_beta_query: true }, { hasClaudeBetaQuery: true }],
  [{ allow_service_tier: true }, { allowsServiceTier: true }],
  [{ allow_inference_geo: true }, { allowsInferenceGeo: true }],
  [{ allow_speed: true }, { allowsSpeed: true }],
  [{ allow_safety_identifier: false }, { allowsSafetyIdentifier: false }],
  [{ disable_store: true }, { allowsStore: false }],
  [{ responses_websocket: true }, { passesSockets: true }],
  [{ responses_websocket: 'true' }, {}],
  [{ trace_context: true }, { sendsTraceContext: true }],
  [{ other_models: 'never' }, { allowsOtherModels: false }],
  [{ other_models: 'maybe' }, {}],
  [{ resend_closed: true }, { resendsClosed: true }],
  [{ resend_closed: 1 }, {}],
  [{ unknown: true }, {}],
])('the stored settings %j are read', (stored, read) => {
  expect(readChannelSettings(stored)).toEqual({ ...defaults, ...read })
})

it('model traits of a channel override the table', () => {
  const settings = readChannelSettings({ model_traits: { 'own-*': { efforts: ['low'] } } })
  expect(settings.traitsOf('own-1')).toMatchObject({ efforts: ['low'] })
  expect(settings.traitsOf('other')).toEqual(traitsOf('other'))
})

it('a proxy that is not text stays a value that is no address', () => {
  for (const proxy of [7, true, {}, ['http://proxy.test']])
    expect(URL.canParse(readChannelSettings({ proxy }).proxy ?? 'http://none.test')).toBe(false)
})

const NAMES = [
  'proxy pass_through_body_enabled system_prompt system_prompt_override stream_support thinking_to_content',
  'force_format server_tools stored_context model_traits advanced_routes azure_responses_version',
  'claude_beta_query allow_service_tier allow_inference_geo allow_speed allow_safety_identifier disable_store',
  'affinity_seconds responses_websocket trace_context other_models resend_closed',
].flatMap((line) => line.split(' '))

it.each([null, 0, 1, 'true', '', [], [[]], [null], {}, { a: null }, { '*': 1 }, { '': { efforts: 1 } }])(
  'the value %j of any member reads without an error',
  (value) => {
    const stored = Object.fromEntries(NAMES.map((name) => [name, value]))
    const { traitsOf: lookup, ...settings } = readChannelSettings(stored)
    const { traitsOf: _table, ...known } = defaults
    expect(Object.keys(settings).toSorted()).toEqual(Object.keys(known).toSorted())
    expect(() => lookup('gpt-4o')).not.toThrow()
  },
)
