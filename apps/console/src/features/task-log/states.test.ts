import { expect, it } from 'vitest'
import { duration } from '../../shared/format/time.ts'
import { spentMs, spentTone, wordOfResult } from './states.ts'

const SONG = { submitted: 1_718_000_000, finished: 1_718_000_080 }

it('the duration of a task is measured from submission to finish, and is red above a minute', () => {
  const spent = spentMs(SONG.submitted * 1000, SONG.finished * 1000)
  expect(spent).toBe(80_000)
  expect(duration(spent ?? 0)).toBe('80 s')
  expect([60_000, 60_001].map(spentTone)).toEqual(['ok', 'act'])
  expect(spentMs(SONG.submitted * 1000, 0)).toBeUndefined()
})

it('code 21 means that the proxy already has the drawing, code 22 that it waits in the queue', () => {
  expect(wordOfResult(21)[0]).toBe('result.duplicate')
  expect(wordOfResult(22)[0]).toBe('result.waiting')
})
