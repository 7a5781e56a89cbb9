import { array, assert, boolean, integer, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { channelWith } from '../../../test/relay/parts.ts'
import { KeyHealth } from '../stations/route/key-health.ts'
import { usableKey } from '../stations/route/route.ts'
import { bindingText, bindingTo, boundKey, readBinding } from './binding.ts'

const binding = bindingTo({ channel: channelWith({ id: 3, keys: ['a', 'b', 'c'] }), keyIndex: 1 }, 5_000)

test('a key is found by its tag wherever it is in the list, and not in another channel', () => {
  expect(boundKey(channelWith({ id: 3, keys: ['x', 'y', 'b'] }), binding)).toBe(2)
  expect(boundKey(channelWith({ id: 3, keys: ['a', 'c'] }), binding)).toBeUndefined()
  expect(boundKey(channelWith({ id: 4, keys: ['a', 'b', 'c'] }), binding)).toBeUndefined()
})

test('a stored binding is read back; any other text is none, and it shows no key', () => {
  expect(readBinding(bindingText(binding))).toEqual(binding)
  expect(bindingText(binding)).not.toContain('b ')
  for (const text of ['', '3', '3 abc 5', `x ${bindingText(binding)}`, `${bindingText(binding)} 1`])
    expect(readBinding(text), text).toBeUndefined()
})

test('a bound key is used only while it is enabled and not in cool-down, and the rotation goes on without it', () => {
  let used = 0
  assert(
    property(
      array(boolean(), { minLength: 1, maxLength: 6 }),
      array(boolean(), { minLength: 6, maxLength: 6 }),
      nat({ max: 6 }),
      integer({ min: 0, max: 3 }),
      (disabled, resting, boundIndex, calls) => {
        const keys = disabled.map((_, index) => `key-${index}`)
        const disabledKeys = new Set(keys.flatMap((_, index) => (disabled[index] ? [index] : [])))
        const channel = channelWith({ id: 3, keys, disabledKeys })
        const [health, twin] = [new KeyHealth(), new KeyHealth()]
        for (const [index] of keys.entries())
          if (resting[index]) for (const each of [health, twin]) each.coolDown(channel, index, 100)
        const to = {
          ...binding,
          keyTag: bindingTo({ channel, keyIndex: boundIndex }, 1).keyTag || '0'.repeat(12),
        }
        const usable = usableKey(channel, to, { health, now: 50 })
        const mayBeUsed = boundIndex < keys.length && !disabled[boundIndex] && !resting[boundIndex]
        expect(usable).toBe(mayBeUsed ? boundIndex : undefined)
        if (usable === undefined) return
        used++
        for (let call = 0; call < calls; call++) expect(health.next(channel, 50, usable)).toBe(usable)
        expect(health.next(channel, 50)).toBe(twin.next(channel, 50))
      },
    ),
    { numRuns: 1_000 },
  )
  expect(used).toBeGreaterThan(50)
})
