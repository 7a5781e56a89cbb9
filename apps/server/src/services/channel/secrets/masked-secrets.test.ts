import { describe, expect, it } from 'vitest'
import { keepsStoredValues, maskedText, noSecrets, withStoredSecrets } from './masked-secrets.ts'

const headers = JSON.stringify({
  'X-Key': 'secret-1',
  Authorization: 'Bearer {api_key}',
  '*': '',
  'X-Team': 'red',
})
const proxy = (address: string) => JSON.stringify({ proxy: address, force_format: true })
const route = (auth: object, more: object = {}) => ({
  incoming_path: '/v1/chat/completions',
  upstream_path: 'https://a.example/chat?key=secret-2&alt=sse',
  auth,
  ...more,
})
const routes = (...rows: object[]) => JSON.stringify({ advanced_routes: rows })
const stored = { ...noSecrets, header_override: headers }

describe('a masked field', () => {
  it('shows header names and templates but no other value', () => {
    expect(JSON.parse(maskedText('header_override', headers))).toEqual({
      'X-Key': '***',
      Authorization: 'Bearer {api_key}',
      '*': '',
      'X-Team': '***',
    })
  })

  it.each([
    ['http://name:secret@proxy.example:3128', 'http://***@proxy.example:3128'],
    ['socks5://secret@10.0.0.1:1080', 'socks5://***@10.0.0.1:1080'],
    [' http:\\\\name:secret@proxy.example', 'http://***@proxy.example'],
    ['http://a:p@ss@proxy.example', 'http://***@proxy.example'],
    ['http://proxy.example:3128', 'http://proxy.example:3128'],
  ])('shows scheme, host and port of the proxy %s', (address, shown) => {
    expect(JSON.parse(maskedText('setting', proxy(address)))).toEqual({ proxy: shown, force_format: true })
  })

  it('hides auth values of routes and the query of their addresses', () => {
    const text = routes(
      route({ type: 'header', name: 'X-Key', value: 'Token secret' }),
      route({ type: 'bearer' }),
    )
    expect(JSON.parse(maskedText('setting', text))).toEqual({
      advanced_routes: [
        {
          incoming_path: '/v1/chat/completions',
          upstream_path: 'https://a.example/chat?key=***&alt=sse',
          auth: { type: 'header', name: 'X-Key', value: '***' },
        },
        {
          incoming_path: '/v1/chat/completions',
          upstream_path: 'https://a.example/chat?key=***&alt=sse',
          auth: { type: 'bearer' },
        },
      ],
    })
  })

  it('hides headers and credentials of an override in both of its forms', () => {
    expect(
      JSON.parse(
        maskedText('param_override', '{"max_tokens":5,"auth.apiKey":"s","a":{"token":"s","b":"c"}}'),
      ),
    ).toEqual({ max_tokens: 5, 'auth.apiKey': '***', a: { token: '***', b: 'c' } })
    const operations = [
      { mode: 'set_header', path: 'x-any', value: 'secret' },
      { mode: 'set', path: 'user.password', value: 'secret' },
      { mode: 'set', path: 'temperature', value: 0 },
    ]
    expect(JSON.parse(maskedText('param_override', JSON.stringify({ operations })))).toEqual({
      operations: [{ ...operations[0], value: '***' }, { ...operations[1], value: '***' }, operations[2]],
    })
  })

  it('is shown as it was typed if it contains no secret, and is hidden completely if it is not a JSON object', () => {
    expect(maskedText('setting', '{ "force_format": true }')).toBe('{ "force_format": true }')
    expect(maskedText('header_override', 'X-Key: secret')).toBe('***')
    expect(maskedText('setting', '')).toBe('')
  })
})

const sentBack = (column: keyof typeof noSecrets, sent: string, kept: string) =>
  withStoredSecrets({ [column]: sent }, { ...noSecrets, [column]: kept })[column]

describe('a masked field that is sent back', () => {
  it.each([
    ['header_override', headers],
    ['header_override', 'X-Key: kept by an import'],
    ['setting', proxy('http://name:secret@proxy.example:3128')],
    ['setting', routes(route({ type: 'header', name: 'X-Key', value: 'Token secret' }))],
    ['param_override', '{"operations":[{"mode":"set_header","path":"x-any","value":"secret"}]}'],
    ['param_override', ' {"a":{"token":"s"}}'],
  ] as const)('keeps the stored %s unchanged: %s', (column, kept) => {
    expect(sentBack(column, maskedText(column, kept), kept)).toBe(kept)
  })

  it('keeps each header value by its case-insensitive name, beside new and changed ones', () => {
    const sent = JSON.stringify({ 'x-key': '***', 'X-Team': 'blue', 'X-New': 'n' })
    expect(JSON.parse(String(sentBack('header_override', sent, headers)))).toEqual({
      'x-key': 'secret-1',
      'X-Team': 'blue',
      'X-New': 'n',
    })
  })

  it('keeps the proxy login when another member of the setting changes', () => {
    const sent = '{"proxy":"http://***@proxy.example:3128","force_format":false}'
    const kept = proxy('http://name:secret@proxy.example:3128')
    expect(JSON.parse(String(sentBack('setting', sent, kept)))).toEqual({
      proxy: 'http://name:secret@proxy.example:3128',
      force_format: false,
    })
  })

  it('keeps the auth value of a route when its models or its position change', () => {
    const kept = routes(
      route({ type: 'bearer' }),
      route({ type: 'header', name: 'X-Key', value: 'Token secret' }),
    )
    const [, second] = JSON.parse(maskedText('setting', kept)).advanced_routes
    const sent = routes({ ...second, models: ['m'] })
    expect(JSON.parse(String(sentBack('setting', sent, kept)))).toEqual({
      advanced_routes: [route({ type: 'header', name: 'X-Key', value: 'Token secret' }, { models: ['m'] })],
    })
  })

  it.each([
    ['header_override', '{"X-Other":"***"}', headers],
    ['setting', '{"proxy":"http://***@other.example:3128"}', proxy('http://n:s@proxy.example:3128')],
    ['setting', '{"proxy":"http://***@proxy.example:1"}', proxy('http://n:s@proxy.example:3128')],
    ['setting', '{"proxy":"socks5://***@proxy.example:3128"}', proxy('http://n:s@proxy.example:3128')],
    ['setting', '{"proxy":"http://***@proxy.example"}', ''],
    [
      'setting',
      routes({
        ...route({ type: 'header', name: 'X-Key', value: '***' }),
        upstream_path: 'https://b.example/chat',
      }),
      routes(route({ type: 'header', name: 'X-Key', value: 'secret' })),
    ],
    [
      'setting',
      routes(route({ type: 'header', name: 'X-Shown', value: '***' })),
      routes(route({ type: 'header', name: 'X-Key', value: 'secret' })),
    ],
    [
      'param_override',
      '{"operations":[{"mode":"set_header","path":"x-shown","value":"***"}]}',
      '{"operations":[{"mode":"set_header","path":"x-key","value":"secret"}]}',
    ],
    ['param_override', '{"user":"***"}', '{"api_key":"secret"}'],
  ] as const)('is rejected if nothing is stored for a mask: %s %s', (column, sent, kept) => {
    expect(() => sentBack(column, sent, kept)).toThrow('channel_masked_value')
  })
})

describe('a change keeps stored values', () => {
  it.each([
    ['that are not sent at all', {}, true],
    ['that are sent as masks', { header_override: '{"X-Key":"***"}' }, true],
    ['not when each is entered again', { header_override: '{"X-Key":"again"}' }, false],
    ['not when they are taken away', { header_override: '' }, false],
    ['not when they are taken away with null', { header_override: null }, false],
  ])('%s', (_title, fields, isKept) => {
    expect(keepsStoredValues(fields, stored)).toBe(isKept)
  })

  it('counts a header named proxy, but not the login of a proxy', () => {
    expect(keepsStoredValues({}, { ...noSecrets, header_override: '{"proxy":"secret"}' })).toBe(true)
    expect(keepsStoredValues({}, { ...noSecrets, setting: proxy('http://n:s@proxy.example') })).toBe(false)
  })
})
