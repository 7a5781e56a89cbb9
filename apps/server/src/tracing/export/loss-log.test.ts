import { expect, test } from 'vitest'
import { LossLog } from './loss-log.ts'

test('a collector that is down costs one log line a minute, which counts the spans lost meanwhile', () => {
  const lines: unknown[] = []
  let now = 0
  const losses = new LossLog({ warn: (fields: object) => void lines.push(fields) }, () => now)
  for (; now < 60_000; now += 10_000) losses.lost(4, 'refused')
  expect(lines).toEqual([{ lost: 4, reason: 'refused' }])
  losses.lost(4, 'timed out')
  expect(lines.at(-1)).toEqual({ lost: 24, reason: 'timed out' })
})
