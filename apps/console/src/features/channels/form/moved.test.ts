import type { ChannelType } from '@tollgate/contract/channel-upstream'
import { expect, it } from 'vitest'
import { newChannelValue } from '../form-value.ts'
import { hasMasks, isMoved, keepsMasks } from './moved.ts'

const type: ChannelType = {
  type: 1,
  id: 'x',
  label: 'X',
  base_url: 'https://x.example',
  address: { help: { en: '', zh: '' }, example: 'https://x.example' },
  key_hint: '',
  models: [],
  can_list_models: false,
  can_tell_balance: false,
  renews_keys: false,
}
const other = (staysAtOrigin: boolean) => ({
  ...type,
  other: {
    label: { en: 'Region', zh: '区域' },
    usual: 'here',
    is_by_model: false,
    stays_at_origin: staysAtOrigin,
  },
})
const value = (fields: Partial<typeof newChannelValue> = {}) => ({ ...newChannelValue, ...fields })

it.each([
  ['another type', {}, { type: 2 }],
  ['another address', {}, { baseUrl: 'https://y.example' }],
  ['a proxy', {}, { setting: '{"proxy":"http://p.example"}' }],
  [
    'another port of the proxy',
    { setting: '{"proxy":"http://***@p.example:1"}' },
    { setting: '{"proxy":"http://***@p.example:2"}' },
  ],
  ['routes', {}, { setting: '{"advanced_routes":[{}]}' }],
  ['a header with the key', {}, { headerOverride: '{"X":"{api_key}"}' }],
])('%s sends the stored key elsewhere', (_what, stored, entered) => {
  expect(isMoved(value(stored), value(entered), type)).toBe(true)
})

it.each([
  ['nothing', {}, {}],
  ['the usual address in words', {}, { baseUrl: 'https://x.example/' }],
  [
    'another setting',
    { setting: '{"proxy":"http://***@p.example"}' },
    { setting: '{"a":1,"proxy":"http://***@p.example"}' },
  ],
  [
    'a login and a route that are shown',
    {
      setting:
        '{"proxy":"http://***@p.example","advanced_routes":[{"upstream_path":"/a?k=***","auth":{"type":"header","name":"x","value":"***"}}]}',
    },
    {
      setting:
        '{"proxy":"http://u:p@p.example","advanced_routes":[{"upstream_path":"/a?k=1","auth":{"type":"header","name":"x","value":"s"}}]}',
    },
  ],
  ['a header without the key', { headerOverride: '{"X":"***"}' }, { headerOverride: '{"X":"***","Y":"1"}' }],
])('%s does not send the stored key elsewhere', (_what, stored, entered) => {
  expect(isMoved(value(stored), value(entered), type)).toBe(false)
})

it('a change to the field `other` sends the stored key elsewhere unless the provider declares that it stays at its origin', () => {
  const entered = value({ other: 'there' })
  expect(isMoved(value(), entered, other(false))).toBe(true)
  expect(isMoved(value(), value({ other: 'here' }), other(false))).toBe(false)
  expect(isMoved(value(), entered, other(true))).toBe(false)
  expect(isMoved(value(), entered, type)).toBe(false)
})

it('a masked proxy login does not have to be entered again when only the address changes', () => {
  const masked = value({ setting: '{"proxy":"http://***@p.example"}' })
  expect([hasMasks(masked), keepsMasks(masked)]).toEqual([true, false])
  expect(keepsMasks(value({ headerOverride: '{"X":"***"}' }))).toBe(true)
  expect(hasMasks(value())).toBe(false)
})
