import { describe, expect, it } from 'vitest'
import { shortenIds, shortenText } from './shorten-text.ts'
import { isWithinBounds } from './string-limit.ts'
import { stringLimits } from './string-limits.ts'

const CLAUDE_CODE = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: '0b1c-2d3e' })
const NAMES = [CLAUDE_CODE, 'u1', 'functions.read:0', '😀'.repeat(80), 'k'.repeat(1_400), 'call_abc']

describe.each(stringLimits)('the $subject of $wires', (limit) => {
  it('is taken after it was shortened, and stays the same in every call', () => {
    for (const name of NAMES) {
      const short = shortenText(name, limit)
      expect(isWithinBounds(short, limit)).toBe(true)
      expect(short.isWellFormed()).toBe(true)
      expect(shortenText(name, limit)).toBe(short)
    }
  })

  it('differs for different texts', () => {
    const long = ['a.b', 'a_b', 'a:b', ...NAMES].map((name) => name.padEnd(300, '-'))
    expect(new Set(long.map((name) => shortenText(name, limit))).size).toBe(long.length)
  })
})

it('an accepted text stays as it is', () => {
  expect(shortenText('call_1', { charactersMax: 64 })).toBe('call_1')
})

it('an id that looks like a shortened one of its conversation keeps its own name', () => {
  const bounds = { charactersMin: 9, charactersMax: 9, refused: /[^a-zA-Z0-9]/ }
  const short = shortenText('call_1', bounds)
  const ids = shortenIds(['call_1', short], bounds)
  expect(ids.get('call_1')).not.toBe(short)
  expect(ids.has(short)).toBe(false)
})
