import { describe, expect, it } from 'vitest'
import { chatLinks, filledChatLink, isFramed } from './chat-link.ts'

const login = { address: 'https://gw.example.com', key: 'ABC' }
const filled = (template: string) => filledChatLink({ name: 'x', template }, login)
const CHERRY = 'eyJpZCI6Im5ldy1hcGkiLCJiYXNlVXJsIjoiaHR0cHM6Ly9ndy5leGFtcGxlLmNvbSIsImFwaUtleSI6InNrLUFCQyJ9'

describe('filledChatLink', () => {
  it('inserts the address URL-encoded and the key unchanged, wherever the placeholders stand', () => {
    expect(filled('https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}')).toBe(
      'https://app.nextchat.dev/#/?settings={"key":"sk-ABC","url":"https%3A%2F%2Fgw.example.com"}',
    )
    expect(filled('ama://set?a={address}&b={address}&key={key}')).toBe(
      'ama://set?a=https%3A%2F%2Fgw.example.com&b=https%3A%2F%2Fgw.example.com&key=sk-ABC',
    )
  })

  it('fills only the base64 placeholder if there is one', () => {
    expect(filled('cherrystudio://providers/api-keys?v=1&data={cherryConfig}')).toBe(
      `cherrystudio://providers/api-keys?v=1&data=${CHERRY}`,
    )
    expect(filled('deepchat://p?d={deepchatConfig}&k={key}')).toBe(`deepchat://p?d=${CHERRY}&k={key}`)
    const [, data = ''] = filled('aionui://provider/add?v=1&data={aionuiConfig}').split('data=')
    expect(atob(decodeURIComponent(data))).toBe(
      '{"platform":"new-api","baseUrl":"https://gw.example.com","apiKey":"sk-ABC"}',
    )
  })

  it('handles replacement patterns and non-Latin characters in the address and the key', () => {
    const odd = { address: 'https://门.example/$&', key: '$1' }
    expect(filledChatLink({ name: 'x', template: 'a:{key}' }, odd)).toBe('a:sk-$1')
    const [, data = ''] = filledChatLink({ name: 'x', template: 'c:{cherryConfig}' }, odd).split('c:')
    const bytes = Uint8Array.from(atob(decodeURIComponent(data)), (byte) => byte.codePointAt(0) ?? 0)
    expect(new TextDecoder().decode(bytes)).toContain('https://门.example/$&')
  })
})

describe('chatLinks', () => {
  it('keeps positions, and uses the last of several names', () => {
    expect(chatLinks([{ A: 'https://a/{key}' }, { B: 'https://b', C: 'c://d' }])).toEqual([
      { name: 'A', template: 'https://a/{key}' },
      { name: 'C', template: 'c://d' },
    ])
  })

  it.each([
    ['a script', { Evil: 'javascript:alert("{key}")' }],
    ['no address', { Odd: 'not an address' }],
    ['nothing', {}],
    ['a number', { Odd: 7 }],
    ['null', null],
  ])('yields undefined for %s', (_name, entry) => {
    expect(chatLinks([entry])).toEqual([undefined])
  })
})

describe('isFramed', () => {
  it.each([
    ['https://chat.example/', 'https:', true],
    ['https://chat.example/', 'http:', true],
    ['http://chat.lan/', 'http:', true],
    ['http://chat.lan/', 'https:', false],
    ['cherry://x', 'http:', false],
  ])('decides whether %s is shown in a console at %s: %s', (address, protocol, isShown) => {
    expect(isFramed(address, protocol)).toBe(isShown)
  })
})
