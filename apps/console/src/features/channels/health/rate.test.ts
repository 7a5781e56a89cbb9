import { expect, it } from 'vitest'
import { percentText, toneOfRate } from './rate.ts'

it('rounds the success rate down, so that a single failure stays visible', () => {
  expect(percentText({ succeeded: 9999, failed: 1 })).toBe('99.9')
  expect(percentText({ succeeded: 3, failed: 0 })).toBe('100')
  expect(percentText({ succeeded: 0, failed: 2 })).toBe('0')
})

it.each([
  [0, 0, 'idle'],
  [100, 0, 'ok'],
  [95, 5, 'look'],
  [1, 1, 'act'],
])('%d good and %d bad calls have the tone %s', (succeeded, failed, tone) => {
  expect(toneOfRate({ succeeded, failed })).toBe(tone)
})
