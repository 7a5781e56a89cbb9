import { expect, it } from 'vitest'
import { headerRules } from '../../../snapshots/header-rules.ts'
import { overrideHeaders } from './override-headers.ts'

const caller = {
  authorization: 'Bearer sk-callers-own',
  'x-api-key': 'sk-callers-own',
  cookie: 'session=1',
  host: 'gateway.test',
  'api-key': 'sk-callers-own',
  apikey: 'sk-callers-own',
  'x-auth-token': 'sk-callers-own',
  'x-amz-security-token': 'sk-callers-own',
  'tollgate-user': '1',
  'veloera-user': '1',
  'new-api-user': '1',
  'openai-organization': 'org-callers-own',
  'openai-project': 'proj-callers-own',
  forwarded: 'for=10.0.0.1',
  'x-forwarded-for': '10.0.0.1',
  'x-real-ip': '10.0.0.1',
  'cf-connecting-ip': '10.0.0.1',
  via: '1.1 proxy',
  'proxy-authorization': 'Basic callers-own',
  'sec-fetch-site': 'same-origin',
  origin: 'https://callers.own',
  referer: 'https://callers.own/page',
  'content-length': '10',
  'content-type': 'application/json',
  'x-trace': 'abc',
  'x-team': 'red',
}
const made = (rules: object) => {
  const { passed, set } = overrideHeaders(headerRules(JSON.stringify(rules)), { apiKey: 'up-key', caller })
  return { ...passed, ...set }
}

it('inserts the channel’s key and the caller’s headers into templates', () => {
  expect(made({ 'X-Key': 'Token {api_key}', 'X-Trace-Id': 't-{client_header:X-Trace}' })).toEqual({
    'x-key': 'Token up-key',
    'x-trace-id': 't-abc',
  })
})

it('a template can use the channel’s key, but never a credential of the caller', () => {
  expect(made({ Authorization: 'Basic {api_key}' })).toEqual({ authorization: 'Basic up-key' })
  for (const name of [
    'Authorization',
    'x-api-key',
    'Cookie',
    'api-key',
    'X-Auth-Token',
    'Tollgate-User',
    'New-Api-User',
  ])
    expect(made({ 'X-Stolen': `{client_header:${name}}` })).toEqual({})
})

it.each([{ '*': '' }, { 're:^x-': '' }, { 're:^X-T(race|eam)$': true }])(
  'passes on the headers matched by %j, but none that identify the caller or describe the connection',
  (rules) => {
    expect(made(rules)).toEqual({ 'x-trace': 'abc', 'x-team': 'red' })
  },
)

it('passes on the caller’s address and organisation where the operator names the headers', () => {
  expect(made({ 'X-Address': '{client_header:X-Real-IP}' })).toEqual({ 'x-address': '10.0.0.1' })
  expect(made({ 'X-Org': '{client_header:OpenAI-Organization}' })).toEqual({ 'x-org': 'org-callers-own' })
})

it('a header set by a rule wins over one passed on by another rule', () => {
  expect(made({ 'X-Team': 'blue', '*': '' })).toEqual({ 'x-team': 'blue', 'x-trace': 'abc' })
})

it.each([{ Host: 'x' }, { 'Content-Length': '1' }, { 'bad name': 'x' }, { 'x-a': 7 }, { 're:(': '' }])(
  'ignores the invalid rule %j',
  (rules) => {
    expect(made(rules)).toEqual({})
  },
)
