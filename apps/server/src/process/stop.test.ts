import { ManualClock } from '@tollgate/kit/clock'
import { expect, test } from 'vitest'
import { onSignal } from './stop.ts'

test('signals within a second count as one stop request, and a later signal as a second one', () => {
  const clock = new ManualClock()
  const wishes: unknown[] = []
  const hear = onSignal((reason) => wishes.push(reason), clock)
  // A terminal sends SIGINT to the whole process group, and npm forwards another signal.
  hear('SIGINT')
  clock.advance(200)
  hear('SIGTERM')
  expect(wishes).toEqual([{ signal: 'SIGINT' }])
  clock.advance(800)
  hear('SIGINT')
  expect(wishes).toHaveLength(2)
})
