import { expect, it } from 'vitest'
import { bodyOf, emptyMember, endsInVersion, jsonObjectFault, keysOf, newChannelValue } from './form-value.ts'

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

it('takes a service account for one key, commas and all', () => {
  const account = '{"client_email":"a@b.c",\n"private_key":"x,y"}'
  expect(keysOf(` ${account} `)).toEqual([account])
})

it('finds what a mapping names without saying anything of it', () => {
  expect(emptyMember('{"gpt-4":"gpt-4o","gpt-3":" "}')).toBe('gpt-3')
  expect(emptyMember('{"400":500}')).toBeUndefined()
  expect(emptyMember(' ')).toBeUndefined()
})
