import { expect, it } from 'vitest'
import { bodyOf, endsInVersion, jsonObjectFault, keysOf, newChannelValue } from './form-value.ts'

it('reads pasted keys by line and by comma, without empty ones', () => {
  expect(keysOf('sk-a,sk-b\n\n sk-c ,')).toEqual(['sk-a', 'sk-b', 'sk-c'])
})

it('strips the slash at the end of a base URL', () => {
  expect(bodyOf({ ...newChannelValue, baseUrl: ' https://api.example.com// ' }).base_url).toBe(
    'https://api.example.com',
  )
})

it.each([
  ['https://api.example.com/v1', true],
  ['https://api.example.com/v1/', true],
  ['https://api.example.com', false],
  ['https://api.example.com/v12', false],
])('%s ends in a version: %s', (url, expected) => {
  expect(endsInVersion(url)).toBe(expected)
})

it.each([
  ['', undefined],
  ['{"a":"b"}', undefined],
  ['["a"]', 'json'],
  ['{a}', 'json'],
])('%s as a JSON object: %s', (text, fault) => {
  expect(jsonObjectFault(text)).toBe(fault)
})
