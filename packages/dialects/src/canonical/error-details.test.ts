import { describe, expect, it } from 'vitest'
import { readErrorDetails, readRetryInfo, writeRetryInfo } from './error-details.ts'

const same = (text: string) => text
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest'
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'

const messages = { details: { error_code: 'thread_not_found', unsupported: ['thread'], hint: 'x' } }
const violations = [{ field: 'contents[0].parts', description: 'must not be empty', extra: 1 }]
const gemini = {
  details: [
    { '@type': BAD_REQUEST, fieldViolations: violations },
    { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId: 'PerDay' }] },
    { '@type': RETRY_INFO, retryDelay: '17s' },
  ],
}
const filtered = { hate: { filtered: true, severity: 'high' }, jailbreak: { detected: false } }
const azure = {
  innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: filtered, trace: 'x' },
}

function clean(text: string): string {
  return text.replaceAll('channel-key-of-the-operator', '***')
}

describe('the details of an error that libraries read', () => {
  it.each([
    ['anthropic', messages, { details: { error_code: 'thread_not_found', unsupported: ['thread'] } }],
    [
      'gemini',
      gemini,
      {
        details: [
          {
            '@type': BAD_REQUEST,
            fieldViolations: [{ field: 'contents[0].parts', description: 'must not be empty' }],
          },
        ],
      },
    ],
    [
      'openai',
      azure,
      { innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: filtered } },
    ],
    [
      'responses',
      azure,
      { innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: filtered } },
    ],
  ] as const)('reach a caller of %s', (dialect, raw, details) => {
    expect(readErrorDetails(dialect, { raw, status: 400 }, same)).toEqual(details)
  })

  it.each([
    ['anthropic', gemini],
    ['anthropic', azure],
    ['gemini', messages],
    ['gemini', azure],
    ['openai', messages],
    ['openai', gemini],
    ['responses', messages],
  ] as const)('of another dialect do not reach a caller of %s', (dialect, raw) => {
    expect(readErrorDetails(dialect, { raw, status: 400 }, same)).toBeUndefined()
  })

  it.each(['anthropic', 'gemini', 'openai', 'responses'] as const)(
    'of a 429 do not reach a caller of %s, because they are about the account of the operator',
    (dialect) => {
      const raw = { ...azure, details: dialect === 'gemini' ? gemini.details : messages.details }
      expect(readErrorDetails(dialect, { raw, status: 429 }, same)).toBeUndefined()
    },
  )

  it('are left out beyond 8 KiB, and cut in depth and width before', () => {
    const many = Array.from({ length: 10_000 }, () => 'no. '.repeat(500))
    const raw = { details: { error_code: 'e', unsupported: many } }
    expect(readErrorDetails('anthropic', { raw, status: 400 }, same)).toBeUndefined()
    let deep: unknown = 'end'
    for (let level = 0; level < 50; level++) deep = { inner: deep }
    const nested = { innererror: { code: 'c', content_filter_result: deep } }
    expect(
      JSON.stringify(readErrorDetails('openai', { raw: nested, status: 400 }, same)).length,
    ).toBeLessThan(200)
    const wide = { details: { unsupported: Array.from({ length: 500 }, (_each, index) => `m${index}`) } }
    expect(readErrorDetails('anthropic', { raw: wide, status: 400 }, same)).toMatchObject({
      details: { unsupported: expect.objectContaining({ length: 32 }) },
    })
  })

  const canaries = [
    'sk-live-4f9a8b7c6d5e4f3a',
    'AIzaSyCanaryCanaryCanary12',
    'https://internal.corp.local:8443/v1',
    '10.1.2.3',
    'projects/778899001122',
    'project_number:778899001122',
    'projects/my-secret-proj1',
    'organizations/9988776655',
    'org-CanaryOrgName99',
    'proj_CanaryProject1',
    'subscriptions/1f2e3d4c-5b6a-4798-8899-aabbccddeeff',
    '123456789012',
    'channel-key-of-the-operator',
  ]

  it.each(canaries)('never contain %s, wherever a vendor writes it', (canary) => {
    const said = `failed for ${canary}, again`
    const bad = { '@type': BAD_REQUEST, fieldViolations: [{ field: said, description: said }] }
    const all = [
      readErrorDetails(
        'anthropic',
        { raw: { details: { error_code: said, unsupported: [said] } }, status: 400 },
        clean,
      ),
      readErrorDetails('gemini', { raw: { details: [bad] }, status: 400 }, clean),
      readErrorDetails(
        'openai',
        {
          raw: { innererror: { code: said, content_filter_result: { [canary]: said, a: { b: [said] } } } },
          status: 400,
        },
        clean,
      ),
    ]
    for (const details of all) {
      expect(details).toBeDefined()
      expect(JSON.stringify(details)).not.toContain(canary)
      expect(JSON.stringify(details)).not.toMatch(/\d{8}/)
    }
  })
})

describe('the wait that Google tells', () => {
  it.each([
    ['17s', 17_000],
    ['0.5s', 500],
    ['99999999s', 3_600_000],
    ['17', undefined],
    ['-3s', undefined],
    [17, undefined],
  ])('%j is %s ms', (retryDelay, ms) => {
    const raw = { details: [{ '@type': 'x' }, { '@type': RETRY_INFO, retryDelay }] }
    expect(readRetryInfo(raw)).toBe(ms)
  })

  it('is written in whole seconds', () => {
    expect(writeRetryInfo(1_200)).toEqual({ '@type': RETRY_INFO, retryDelay: '2s' })
  })
})
