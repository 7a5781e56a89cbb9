import { ManualClock } from '@tollgate/kit/clock'
import { expect, test } from 'vitest'
import { onSignal } from './stop.ts'

test('signals that come together are one wish; one that comes later is another', () => {
  const clock = new ManualClock()
  const wishes: unknown[] = []
  const hear = onSignal((reason) => wishes.push(reason), clock)
  // A terminal's to the whole group, and the one that npm hands on.
  hear('SIGINT')
  clock.advance(200)
  hear('SIGTERM')
  expect(wishes).toEqual([{ signal: 'SIGINT' }])
  clock.advance(800)
  hear('SIGINT')
  expect(wishes).toHaveLength(2)
})
