import { expect, test } from 'vitest'
import type { StoredSettings } from './api.ts'
import { changedKeys, type Drafts, faultOf, inSavingOrder } from './drafts.ts'

const stored: StoredSettings = new Map([
  ['ServerAddress', { text: 'https://gate.example', isSet: true, version: 1 }],
  ['SMTPPort', { text: '587', isSet: true, version: 1 }],
  ['SMTPToken', { text: '', isSet: true, version: 1 }],
  ['GitHubClientId', { text: '', isSet: false, version: 1 }],
  ['GitHubClientSecret', { text: '', isSet: false, version: 1 }],
])
const drafts = (...pairs: [Parameters<Drafts['get']>[0], string][]): Drafts => new Map(pairs)

test('an entry that is equivalent to the stored value is no change', () => {
  const typed = drafts(['ServerAddress', 'https://gate.example/'], ['SMTPPort', ' 587'])
  expect(changedKeys(['ServerAddress', 'SMTPPort', 'SMTPServer'], typed, stored)).toEqual([])
  expect(changedKeys(['SMTPPort'], drafts(['SMTPPort', '465']), stored)).toEqual(['SMTPPort'])
})

test('a secret is sent when it was entered, and cleared only if one is stored', () => {
  expect(changedKeys(['SMTPToken'], drafts(['SMTPToken', 'new']), stored)).toEqual(['SMTPToken'])
  expect(changedKeys(['SMTPToken'], drafts(['SMTPToken', '']), stored)).toEqual(['SMTPToken'])
  expect(changedKeys(['GitHubClientSecret'], drafts(['GitHubClientSecret', '']), stored)).toEqual([])
})

test('a text that the setting does not accept is reported before it is sent', () => {
  expect(faultOf('SMTPPort', drafts(['SMTPPort', 'many']), stored)).toEqual({ type: 'refused' })
  expect(faultOf('ServerAddress', drafts(['ServerAddress', 'ftp://x']), stored)).toEqual({ type: 'refused' })
  const ratios = drafts(['ModelRatio', '{"gpt-4.1": 1, "ada": "ten"}'])
  expect(faultOf('ModelRatio', ratios, stored)).toEqual({ type: 'refused', path: ['ada'] })
  expect(faultOf('SMTPPort', drafts(['SMTPPort', '25']), stored)).toBeUndefined()
})

test('a switch takes the unsaved values of other settings into account', () => {
  const on = ['GitHubOAuthEnabled', 'true'] as const
  expect(faultOf('GitHubOAuthEnabled', drafts([...on]), stored)).toEqual({
    type: 'needs',
    missing: { all: ['GitHubClientId', 'GitHubClientSecret'], oneOf: [] },
  })
  const whole = drafts([...on], ['GitHubClientId', 'id'], ['GitHubClientSecret', 'secret'])
  expect(faultOf('GitHubOAuthEnabled', whole, stored)).toBeUndefined()
})

test('a switch with alternative requirements needs only one of them', () => {
  const entered = drafts(
    ['oidc.enabled', 'true'],
    ['oidc.client_id', 'id'],
    ['oidc.client_secret', 'secret'],
    ['oidc.authorization_endpoint', 'https://a.example/authorize'],
    ['oidc.token_endpoint', 'https://a.example/token'],
  )
  expect(faultOf('oidc.enabled', entered, stored)).toEqual({
    type: 'needs',
    missing: {
      all: [],
      oneOf: [['oidc.well_known'], ['oidc.issuer', 'oidc.jwks_uri'], ['oidc.user_info_endpoint']],
    },
  })
  const whole = new Map([...entered, ['oidc.user_info_endpoint', 'https://a.example/me'] as const])
  expect(faultOf('oidc.enabled', whole, stored)).toBeUndefined()
})

test('switches that turn off are sent first, switches that turn on last', () => {
  const all = drafts(
    ['GitHubOAuthEnabled', 'true'],
    ['SMTPPort', '25'],
    ['EmailVerificationEnabled', 'false'],
  )
  expect(inSavingOrder([...all.keys()], all)).toEqual([
    'EmailVerificationEnabled',
    'SMTPPort',
    'GitHubOAuthEnabled',
  ])
})
