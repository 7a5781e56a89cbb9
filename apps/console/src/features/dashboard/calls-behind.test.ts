import { expect, it } from 'vitest'
import { callsBehind } from './calls-behind.ts'
import { totalOf, type KeySums } from './series/series.ts'

const range = { start: 1000, end: 99_999 }
const times = { start_timestamp: 1000, end_timestamp: 99_999 }
const keyOf = (key: string, label = key, isRest = false): KeySums => ({ ...totalOf([]), key, label, isRest })
const all = { range, username: undefined }

it.each([
  ['model', keyOf('gpt-4o'), { model_name: 'gpt-4o' }],
  ['group', keyOf('vip'), { group: 'vip' }],
  ['user', keyOf('7', 'alice'), { username: 'alice' }],
  ['channel', keyOf('3', 'Fake upstream'), { channel: 3 }],
  ['token', keyOf('5', 'prod-web'), { token_name: 'prod-web' }],
] as const)('the link for a %s filters the log by it', (by, key, filter) => {
  expect(callsBehind({ ...all, by }, { key })).toEqual({ ...times, ...filter })
})

it.each([
  ['model', keyOf('', '', true)],
  ['model', keyOf('')],
  ['channel', keyOf('0')],
  ['token', keyOf('0', 'playground-default')],
] as const)('a %s without a filter in the log has no link', (by, key) => {
  expect(callsBehind({ ...all, by }, { key })).toBeUndefined()
})

const within = (at: number) => callsBehind({ ...all, by: 'model' }, { step: { at, seconds: 3600 } })

it('the link for a step covers the part of the step that lies within the range', () => {
  expect(within(7200)).toEqual({ start_timestamp: 7200, end_timestamp: 10_799 })
  expect(within(0)).toEqual({ start_timestamp: 1000, end_timestamp: 3599 })
  expect(within(97_200)).toEqual({ start_timestamp: 97_200, end_timestamp: 99_999 })
})

it('an operator viewing their own calls is linked to their own calls', () => {
  const behind = callsBehind({ by: 'model', range, username: 'root' }, { key: keyOf('gpt-4o') })
  expect(behind).toEqual({ ...times, username: 'root', model_name: 'gpt-4o' })
})

it('failed calls are filtered by their log type', () => {
  const step = { at: 7200, seconds: 3600 }
  expect(callsBehind({ ...all, by: 'model' }, { step, isFailed: true })).toMatchObject({ type: 8 })
})
