import { expect, test } from 'vitest'
import { readUpstreamRequestId, requestIdHeaders } from './request-id-headers.ts'

test.each(requestIdHeaders)('the id in $name is read', ({ name }) => {
  expect(readUpstreamRequestId({ [name]: 'req_1' })).toBe('req_1')
})

test('a gateway of the family names itself before the vendor behind it', () => {
  expect(readUpstreamRequestId({ 'x-request-id': 'vendor', 'x-oneapi-request-id': 'gateway' })).toBe(
    'gateway',
  )
})

test('an id keeps printable ASCII only, and at most 128 characters', () => {
  expect(readUpstreamRequestId({ 'request-id': ' a\u0000b\u007fc é密d\r\n' })).toBe('abcd')
  expect(readUpstreamRequestId({ 'request-id': 'x'.repeat(5000) })).toBe('x'.repeat(128))
})

test('an empty header is passed over for the next one', () => {
  expect(readUpstreamRequestId({ 'request-id': '  ', 'x-request-id': 'two' })).toBe('two')
  expect(readUpstreamRequestId({ 'x-request-id': '密钥' })).toBeUndefined()
  expect(readUpstreamRequestId({})).toBeUndefined()
})

test('each header is listed once, in lower case, with its source', () => {
  const names = requestIdHeaders.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, source } of requestIdHeaders) {
    expect(name).toBe(name.toLowerCase())
    expect(source).toMatch(/^https:\/\//)
  }
})
