import { expect, it } from 'vitest'
import { duration } from '../../shared/format/time.ts'
import { spentMs, spentTone, wordOfResult } from './states.ts'

const SONG = { submitted: 1_718_000_000, finished: 1_718_000_080 }

it('operations 8.9: the time of a task is told as long as it was, red above a minute', () => {
  const spent = spentMs(SONG.submitted * 1000, SONG.finished * 1000)
  expect(spent).toBe(80_000)
  expect(duration(spent ?? 0)).toBe('80 s')
  expect([60_000, 60_001].map(spentTone)).toEqual(['ok', 'act'])
  expect(spentMs(SONG.submitted * 1000, 0)).toBeUndefined()
})

it('21 is a drawing that the proxy has already, 22 one that waits in its queue', () => {
  expect(wordOfResult(21)[0]).toBe('result.duplicate')
  expect(wordOfResult(22)[0]).toBe('result.waiting')
})
