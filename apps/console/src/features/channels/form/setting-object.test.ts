import { expect, it } from 'vitest'
import {
  hasBrokenTraits,
  isOn,
  settingObject,
  storedContextOf,
  textOf,
  withMembers,
} from './setting-object.ts'

const WHOLE_ONLY = { member: 'stream_support', on: 'NON_STREAM_ONLY' }

it('changes some members and keeps those it does not know', () => {
  const object = settingObject('{"mine":"hi","force_format":true,"stream_support":"non_stream_only"}') ?? {}
  expect(isOn(object, { member: 'force_format', on: true })).toBe(true)
  expect(isOn(object, { member: 'allow_speed', on: false })).toBe(false)
  expect(isOn(object, WHOLE_ONLY)).toBe(true)
  expect(textOf(object, 'proxy')).toBe('')
  const text = withMembers(object, { proxy: 'socks5://127.0.0.1:1080', force_format: undefined })
  expect(JSON.parse(text)).toEqual({
    mine: 'hi',
    stream_support: 'non_stream_only',
    proxy: 'socks5://127.0.0.1:1080',
  })
})

it('treats a member that is on by default as on until it is set to off', () => {
  const tools = { member: 'server_tools', on: true, off: false }
  expect(isOn({}, tools)).toBe(true)
  expect(isOn({ server_tools: false }, tools)).toBe(false)
  expect(JSON.parse(withMembers({}, { server_tools: false }))).toEqual({ server_tools: false })
})

it('accepts only the two values of stored_context that the relay knows, and reads all others as none', () => {
  const chosen = [true, 'as_before', false, undefined, 'true'].map((choice) =>
    storedContextOf({ stored_context: choice }),
  )
  expect(chosen).toEqual(['all', 'as_before', 'none', 'none', 'none'])
})

it('removes the text when no member is set, and rejects text that is not an object', () => {
  expect(withMembers({ proxy: 'http://a' }, { proxy: ' ' })).toBe('')
  expect(settingObject('[1]')).toBeUndefined()
  expect(settingObject('')).toEqual({})
})

it('detects model traits that are not a JSON object', () => {
  const broken = ['{"gpt-6*": ', ['gpt-6'], true, null].map((traits) =>
    hasBrokenTraits({ model_traits: traits }),
  )
  expect(broken).toEqual([true, true, true, true])
  expect(hasBrokenTraits({ model_traits: { 'gpt-6*': {} } })).toBe(false)
  expect(hasBrokenTraits({})).toBe(false)
})
