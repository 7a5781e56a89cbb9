import { expect, it } from 'vitest'
import { headerRules } from '../../books/header-rules.ts'
import { overrideHeaders } from './override-headers.ts'

const caller = {
  authorization: 'Bearer sk-callers-own',
  'x-api-key': 'sk-callers-own',
  cookie: 'session=1',
  host: 'gateway.test',
  'content-length': '10',
  'content-type': 'application/json',
  'x-trace': 'abc',
  'x-team': 'red',
}
const made = (rules: object) =>
  overrideHeaders(headerRules(JSON.stringify(rules)), { apiKey: 'up-key', caller })

it('writes the channel’s key and headers of the caller into templates', () => {
  expect(made({ 'X-Key': 'Token {api_key}', 'X-Trace-Id': 't-{client_header:X-Trace}' })).toEqual({
    'x-key': 'Token up-key',
    'x-trace-id': 't-abc',
  })
})

it('may show the channel’s key otherwise, but never the caller’s', () => {
  expect(made({ Authorization: 'Basic {api_key}' })).toEqual({ authorization: 'Basic up-key' })
  for (const name of ['Authorization', 'x-api-key', 'Cookie'])
    expect(made({ 'X-Stolen': `{client_header:${name}}` })).toEqual({})
})

it.each([{ '*': '' }, { 're:^x-': '' }, { 're:^X-T(race|eam)$': true }])(
  'hands on what %j names, and nothing that proves who the caller is or how they are connected',
  (rules) => {
    expect(made(rules)).toEqual({ 'x-trace': 'abc', 'x-team': 'red' })
  },
)

it.each([{ Host: 'x' }, { 'Content-Length': '1' }, { 'bad name': 'x' }, { 'x-a': 7 }, { 're:(': '' }])(
  'leaves out %j',
  (rules) => {
    expect(made(rules)).toEqual({})
  },
)
