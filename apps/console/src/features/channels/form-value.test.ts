import { expect, it } from 'vitest'
import { bodyOf, emptyMember, endsInVersion, keysOf, newChannelValue, replacesKeys } from './form-value.ts'

it('splits pasted keys at lines and commas, without empty ones', () => {
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

it('treats a service account with commas as one key', () => {
  const account = '{"client_email":"a@b.c",\n"private_key":"x,y"}'
  expect(keysOf(` ${account} `)).toEqual([account])
})

it('finds the name whose value in a mapping is empty', () => {
  expect(emptyMember('{"gpt-4":"gpt-4o","gpt-3":" "}')).toBe('gpt-3')
  expect(emptyMember('{"400":500}')).toBeUndefined()
  expect(emptyMember(' ')).toBeUndefined()
})

it.each([
  ['', 2, false],
  ['sk-a', 1, false],
  ['sk-a', 2, true],
  ['sk-a\nsk-b', 2, false],
  ['sk-a, sk-b', 3, true],
] as const)(
  'the keys %j entered for a channel of %d keys remove some of them: %s',
  (key, stored, expected) => {
    expect(replacesKeys({ key }, stored)).toBe(expected)
  },
)
