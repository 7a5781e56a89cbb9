import { expect, it } from 'vitest'
import { percent, toneOf } from './model-line.tsx'

it.each([
  [1, '100.00%', 'ok'],
  [0.99999, '99.99%', 'ok'],
  [0.989, '98.90%', 'look'],
  [0.5, '50.00%', 'act'],
  [0, '0.00%', 'act'],
])('the share %d is shown as %s in the tone %s', (share, text, tone) => {
  expect([percent(share), toneOf(share)]).toEqual([text, tone])
})

it('a day without calls is not shown as a failure', () => {
  expect(toneOf(null)).toBe('none')
})
