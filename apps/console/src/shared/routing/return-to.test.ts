import { describe, expect, it } from 'vitest'
import { safeReturn } from './return-to.ts'

describe('safeReturn', () => {
  it.each(['/log', '/log?type=2&p=3', '/token#top'])('returns to %s', (address) => {
    expect(safeReturn(address, '/token')).toBe(address)
  })

  it.each([
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'log',
    '/login?expired=true',
  ])('does not follow %j', (address) => {
    expect(safeReturn(address, '/token')).toBe('/token')
  })
})
