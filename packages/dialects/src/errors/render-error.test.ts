import { problem } from '@tollgate/problems/problem'
import { describe, expect, it } from 'vitest'
import { renderOpenAiError } from './render-error.ts'
import { scrub } from './scrub.ts'
import { errorInside, readUpstreamError } from './upstream-error.ts'

const request = { requestId: 'r1', language: 'en' } as const

function body(rendered: { body: Buffer }): unknown {
  return JSON.parse(rendered.body.toString())
}

describe('renderOpenAiError', () => {
  it('renders a problem of the gateway in the caller’s language', () => {
    const missing = problem('member_missing', { param: 'messages' })
    const rendered = renderOpenAiError({ ...request, language: 'zh', problem: missing })
    expect(rendered.status).toBe(400)
    expect(body(rendered)).toEqual({
      error: {
        message: '无效的请求，缺少 messages (request id: r1)',
        type: 'tollgate_error',
        param: 'messages',
        code: 'member_missing',
      },
    })
  })

  it('renders an unknown URL with the type and code of the wire contract', () => {
    const unknown = problem('invalid_url', { method: 'GET', path: '/v1/x' })
    expect(body(renderOpenAiError({ ...request, problem: unknown }))).toEqual({
      error: {
        message: 'Invalid URL (GET /v1/x) (request id: r1)',
        type: 'invalid_request_error',
        param: '',
        code: '',
      },
    })
  })

  it('passes an upstream error through, with the mapped status', () => {
    const upstreamError = readUpstreamError(
      400,
      Buffer.from(
        '{"error":{"message":"bad model","type":"invalid_request_error","param":"model","code":"x"}}',
      ),
    )
    const rendered = renderOpenAiError({ ...request, upstreamError, status: 500 })
    expect(rendered.status).toBe(500)
    expect(body(rendered)).toEqual({
      error: {
        message: 'bad model (request id: r1)',
        type: 'invalid_request_error',
        param: 'model',
        code: 'x',
      },
    })
  })

  it('hides the message of an upstream rate limit, which may name the operator’s account', () => {
    const upstreamError = readUpstreamError(
      429,
      Buffer.from('{"error":{"message":"org-1 is over its limit"}}'),
    )
    expect(renderOpenAiError({ ...request, upstreamError }).body.toString()).not.toContain('org-1')
  })
})

describe('readUpstreamError', () => {
  it.each([
    ['{"error":{"message":"a","code":1214}}', 'a', '1214'],
    ['{"error":{"msg":"a"}}', 'a', 'bad_response_status_code'],
    ['{"message":"a"}', 'a', 'bad_response_status_code'],
    ['{"msg":"a"}', 'a', 'bad_response_status_code'],
    ['{"err":"a"}', 'a', 'bad_response_status_code'],
    ['{"error_msg":"a"}', 'a', 'bad_response_status_code'],
    ['{"header":{"message":"a"}}', 'a', 'bad_response_status_code'],
    ['{"response":{"error":{"message":"a"}}}', 'a', 'bad_response_status_code'],
    ['{"detail":"a"}', 'a', 'bad_response_status_code'],
    ['{"detail":[{"loc":["body"],"msg":"a"}]}', 'a', 'bad_response_status_code'],
    ['{"code":"c","error":"a"}', 'a', 'c'],
    ['{"code":"Arrearage","message":"a","request_id":"r"}', 'a', 'Arrearage'],
    ['{"code":"Arrearage"}', 'bad response status code 418', 'Arrearage'],
    ['{"code":418,"message":"a"}', 'a', 'bad_response_status_code'],
    ['{"success":false,"errors":[{"code":10000,"message":"a"}]}', 'a', 'bad_response_status_code'],
    ['{"base_resp":{"status_code":1004,"status_msg":"a"}}', 'a', 'bad_response_status_code'],
    [
      '<html><body>nginx at 10.0.0.1</body></html>',
      'bad response status code 418',
      'bad_response_status_code',
    ],
    ['', 'bad response status code 418', 'bad_response_status_code'],
    ['{"error":{}}', 'bad response status code 418', 'bad_response_status_code'],
    ['[1]', 'bad response status code 418', 'bad_response_status_code'],
  ])('finds the message in %s', (text, message, code) => {
    expect(readUpstreamError(418, Buffer.from(text))).toMatchObject({ status: 418, message, code })
  })
})

describe('the type, code and param of an upstream error', () => {
  it('are scrubbed too, because they are shown to callers', () => {
    const error = {
      message: 'no',
      type: 'https://a.example/b',
      code: 'sk-0123456789abcdef',
      param: 'at 10.0.0.1',
    }
    expect(readUpstreamError(400, Buffer.from(JSON.stringify({ error })))).toMatchObject({
      type: '[address]',
      code: '[key]',
      param: 'at [address]',
    })
  })
})

describe('errorInside', () => {
  it.each([
    ['{"error":{"code":503,"message":"a"}}', 503],
    ['{"error":{"type":"rate_limit_error","message":"a"}}', 429],
    ['{"error":{"code":"invalid_api_key","message":"a"}}', 401],
    ['{"error":{"type":"invalid_request_error","message":"a"}}', 400],
    ['{"error":{"type":"service_unavailable_error","code":"server_is_overloaded","message":"a"}}', 503],
    ['{"error":{"type":"overloaded_error","message":"a"}}', 503],
    ['{"error":{"code":"engine_overloaded","message":"a"}}', 503],
    ['{"error":{"status":"UNAVAILABLE","message":"a"}}', 503],
    ['{"error":{"type":"server_busy","message":"a"}}', 503],
    ['{"error":{"status":"RESOURCE_EXHAUSTED","message":"a"}}', 429],
    ['{"error":{"type":"insufficient_quota","message":"a"}}', 429],
    ['{"error":{"message":"a"}}', 502],
    ['{"error":"a"}', 502],
  ])('derives a status from %s', (text, status) => {
    expect(errorInside(JSON.parse(text))).toMatchObject({ status, message: 'a' })
  })

  it.each(['{}', '{"error":null}', '{"error":""}', '{"error":{}}', '{"error":false}'])(
    'does not treat %s as an error',
    (text) => {
      expect(errorInside(JSON.parse(text))).toBeUndefined()
    },
  )
})

describe('scrub', () => {
  it.each([
    ['see https://api.example.com/v1/x?key=abc for help', 'see [address] for help'],
    ['dial tcp 10.1.2.3:443: connect: refused', 'dial tcp [address] connect: refused'],
    ['getaddrinfo ENOTFOUND upstream-7', 'getaddrinfo ENOTFOUND [address]'],
    ['connect to 192.168.0.7 failed', 'connect to [address] failed'],
    ['connect to [2001:db8::1]:8080 failed', 'connect to [address] failed'],
    ['connect to fe80:0:0:0:1:2:3:4 failed', 'connect to [address] failed'],
    ['host relay.internal:8443/x is down', 'host [address] is down'],
    ['Incorrect API key provided: sk-abcd***wxyz.', 'Incorrect API key provided: [key]'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [key]'],
    ['token 0123456789abcdef0123456789abcdef is unknown', 'token [key] is unknown'],
  ])('removes addresses and keys from: %s', (text, clean) => {
    expect(scrub(text)).toBe(clean)
  })

  it.each([
    'The model gpt-4o-realtime-preview-2024-12-17 does not exist',
    'Invalid value for messages.content at 12:30:45, max_tokens: 4096 > 2048',
    "This model's maximum context length is 8192 tokens",
    'gpt-3.5-turbo and std::vector and v1.2.3 stay',
    '当前模型负载过高，请稍后重试',
  ])('does not change: %s', (text) => {
    expect(scrub(text)).toBe(text)
  })

  it('shortens a very long text', () => {
    expect(scrub('a '.repeat(100_000)).length).toBeLessThanOrEqual(2000)
  })
})
