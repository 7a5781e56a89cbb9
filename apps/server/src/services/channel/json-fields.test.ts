import { describe, expect, it } from 'vitest'
import { readModelMapping, readOverride, readSetting, readStatusMapping } from './json-fields.ts'

it.each(['{"cost_ratio":"x"}', '{"cost_ratio":-1}', '{"cost_ratios":[]}', '{"cost_ratios":{"m":"a"}}'])(
  'rejects an invalid cost ratio: %s',
  (text) => {
    expect(() => readSetting(text)).toThrow('channel_cost_ratio_invalid')
  },
)

it('accepts only the allowed values for switches', () => {
  for (const name of [
    'server_tools',
    'stored_context',
    'responses_websocket',
    'trace_context',
    'charge_served',
    'resend_closed',
    'keep_reasoning',
  ]) {
    expect(() => readSetting(`{"${name}":"false"}`)).toThrow('channel_switch_invalid')
    expect(readSetting(`{"${name}":false}`)).toBe(`{"${name}":false}`)
  }
  expect(readSetting('{"stored_context":"as_before"}')).toBe('{"stored_context":"as_before"}')
  expect(() => readSetting('{"server_tools":"as_before"}')).toThrow('must be one of: true, false.')
})

it('accepts one word for other models', () => {
  expect(readSetting('{"other_models":"never"}')).toBe('{"other_models":"never"}')
  expect(() => readSetting('{"other_models":"always"}')).toThrow('channel_switch_invalid')
})

it('accepts a whole number of seconds of at most a day for affinity', () => {
  for (const seconds of ['-1', '1.5', '86401', '"60"'])
    expect(() => readSetting(`{"affinity_seconds":${seconds}}`), seconds).toThrow('channel_switch_invalid')
  for (const seconds of ['0', '60', '86400', 'null'])
    expect(readSetting(`{"affinity_seconds":${seconds}}`)).toBe(`{"affinity_seconds":${seconds}}`)
})

it('accepts short labels of accounts, for the channel and by hash of a key', () => {
  const hash = 'a'.repeat(32)
  for (const text of ['{"account":"Acme"}', `{"key_accounts":{"${hash}":"Acme"}}`, '{"account":null}'])
    expect(readSetting(text)).toBe(text)
  const wrong = [
    '{"account":1}',
    '{"account":"a\\nb"}',
    '{"key_accounts":[]}',
    '{"key_accounts":{"sk-1":"Acme"}}',
  ]
  for (const text of [...wrong, `{"key_accounts":{"${hash}":""}}`, `{"account":"${'x'.repeat(65)}"}`])
    expect(() => readSetting(text), text).toThrow('channel_switch_invalid')
})

it('names the invalid route and its faulty member', () => {
  const good = { incoming_path: '/v1/rerank', upstream_path: '/rerank' }
  const wrong = JSON.stringify({ advanced_routes: [good, { ...good, models: 'r-1' }] })
  expect(() => readSetting(wrong)).toThrow('channel_route_invalid Routes: "models" of route 2')
  expect(() => readSetting('{"advanced_routes":{}}')).toThrow('channel_routes_invalid')
  const right = JSON.stringify({ advanced_routes: [good] })
  expect(readSetting(right)).toBe(right)
})

it('names the unreadable model trait and the allowed values', () => {
  expect(() => readSetting('{"model_traits":{"gpt-6*":{"system_role":"boss"}}}')).toThrow(
    'channel_trait_invalid Model traits: “gpt-6*: system_role” must look like system, developer.',
  )
  const right = '{"model_traits":{"gpt-6*":{"refuses":["top_p"],"responses_for":[]}}}'
  expect(readSetting(right)).toBe(right)
})

describe('JSON fields of a channel', () => {
  it.each(['', '  ', 'null', null])('%j counts as empty', (text) => {
    expect(readOverride(text)).toBe('')
  })

  it('the text is kept as it was typed', () => {
    expect(readOverride(' {"a": 1} ')).toBe('{"a": 1}')
  })

  it.each(['{', '[]', '"text"', '1', '{"a":}'])('rejects %s', (text) => {
    expect(() => readOverride(text)).toThrow(/channel_json_invalid param_override/)
  })

  it('a model mapping maps models to names only, without cycles', () => {
    expect(readModelMapping('{"a":"b"}')).toBe('{"a":"b"}')
    expect(readModelMapping('{"a":"b","b":"c","c":"c"}')).toBe('{"a":"b","b":"c","c":"c"}')
    expect(() => readModelMapping('{"a":"b","b":"a"}')).toThrow(/"a" is circular/)
    expect(() => readModelMapping('{"a":7}')).toThrow(/model_mapping: the value of "a"/)
  })

  it.each(['{"400":"500"}', '{"400":500}'])('accepts the status mapping %s', (text) => {
    expect(readStatusMapping(text)).toBe(text)
  })

  it.each(['{"abc":"500"}', '{"400":"700"}', '{"400":true}', '{"99":"200"}'])(
    'rejects the status mapping %s',
    (text) => {
      expect(() => readStatusMapping(text)).toThrow('channel_status_mapping_invalid')
    },
  )
})
