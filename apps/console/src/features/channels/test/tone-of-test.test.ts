import { expect, it } from 'vitest'
import { toneOfTest } from './tone-of-test.ts'

it.each([
  [0, 'ok'],
  [999, 'ok'],
  [1000, 'fair'],
  [3000, 'fair'],
  [3001, 'look'],
  [5000, 'look'],
  [5001, 'act'],
])('a test of %d ms has the tone %s', (milliseconds, tone) => {
  expect(toneOfTest(milliseconds)).toBe(tone)
})
