import { describe, expect, test } from 'vitest'
import { type OptionKey, parseOption } from './index.ts'

function read(key: OptionKey, text: string): string | undefined {
  const parsed = parseOption(key, text)
  return parsed.type === 'accepted' ? parsed.text : undefined
}

describe('blanks and line ends that come with copying', () => {
  test.each([
    'SMTPServer',
    'SMTPAccount',
    'SMTPFrom',
    'EpayId',
    'TurnstileSiteKey',
    'GitHubClientId',
    'SystemName',
  ] as const)('%s is stored without them', (key) => {
    expect(read(key, ' value@x.org \r\n')).toBe('value@x.org')
  })

  test.each(['EpayKey', 'GitHubClientSecret', 'TurnstileSecretKey'] as const)('the secret %s too', (key) => {
    expect(read(key, ' secret \n')).toBe('secret')
  })

  test.each([
    [' lead', ' lead'],
    ['trail ', 'trail '],
    ['in side', 'in side'],
    ['pasted\r\n', 'pasted'],
    ['\nboth \n', 'both '],
  ])('a mail password keeps its blanks: %j', (text, stored) => {
    expect(read('SMTPToken', text)).toBe(stored)
  })

  test.each(['Notice', 'About', 'Footer'] as const)('a text of several lines keeps them: %s', (key) => {
    expect(read(key, '  indented\n')).toBe('  indented\n')
  })
})

describe('the sender of mails', () => {
  test.each([
    ['no-reply@example.com', 'no-reply@example.com'],
    ['Support <support@example.com>', 'support@example.com'],
    ['"A, B" <no-reply@example.com>', 'no-reply@example.com'],
    ['网关客服 <no-reply@example.com>', 'no-reply@example.com'],
    ['<a@x.com>', 'a@x.com'],
    ['Zoë@example.com', 'Zoë@example.com'],
    ['', ''],
  ])('%j is one address', (text, address) => {
    expect(read('SMTPFrom', text)).toBe(address)
  })

  test.each([
    'not an address',
    'a@x.com, b@x.com',
    'a@x.com;b@x.com',
    'a@x.com\r\nBcc: x@y.z',
    'A <a@x.com> B <b@x.com>',
    'Support <>x',
    'a@b@c',
    '@example.com',
    'a@',
    `${'a'.repeat(330)}@x.com`,
  ])('%j is refused', (text) => {
    expect(read('SMTPFrom', text)).toBeUndefined()
  })
})

describe('names in maps', () => {
  test.each(['ModelRatio', 'GroupRatio', 'ModelPrice', 'UserUsableGroups'] as const)(
    '%s has them without blanks',
    (key) => {
      const value = key === 'UserUsableGroups' ? '"x"' : '1'
      expect(JSON.parse(read(key, `{" gpt ":${value}}`) ?? '')).toEqual({ gpt: JSON.parse(value) })
      expect(read(key, `{"":${value}}`)).toBeUndefined()
      expect(read(key, `{"  ":${value}}`)).toBeUndefined()
    },
  )

  test('the limits of Claude have no empty name', () => {
    expect(read('claude.default_max_tokens', '{"":1}')).toBeUndefined()
    expect(read('claude.model_headers_settings', '{"":{}}')).toBeUndefined()
    expect(read('claude.model_headers_settings', '{"m":{" ":["x"]}}')).toBeUndefined()
  })
})
