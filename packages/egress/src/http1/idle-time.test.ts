import { expect, test } from 'vitest'
import { IdleTime } from './idle-time.ts'

const HOUR = 60 * 60_000

/** Closes a minute apart. */
function learnedFrom(...seconds: readonly number[]): { readonly time: IdleTime; readonly now: number } {
  const time = new IdleTime()
  let now = 0
  for (const idle of seconds) {
    now += 60_000
    time.learn(idle * 1_000, now)
  }
  return { time, now }
}

test.each<[readonly number[], number | undefined]>([
  [[], undefined],
  [[15], 12_000],
  [[15, 15, 15, 15, 15], 12_000],
  // One that was closed for another reason does not decide.
  [[15, 15, 2, 15, 15], 12_000],
  // The last five count.
  [[60, 60, 60, 15, 15, 15, 15, 15], 12_000],
  [[3, 5, 4, 6, 7], 4_000],
  // Of two the shorter one.
  [[5, 30], 4_000],
  [[0.2], 800],
  [[300], 48_000],
])('closes after %j idle seconds keep connections for %j ms', (seconds, keptMs) => {
  const { time, now } = learnedFrom(...seconds)
  expect(time.keptMs(now)).toBe(keptMs)
})

test('connections that are closed at once count once, as the one that was idle longest', () => {
  const { time, now } = learnedFrom(15, 15)
  for (let count = 0; count < 100; count++) time.learn(count * 10, now + 60_000 + count)
  expect(time.keptMs(now + 61_000)).toBe(12_000)
  const other = new IdleTime()
  for (const ms of [100, 9_000, 4_000]) other.learn(ms, 1_000)
  expect(other.keptMs(1_000)).toBe(7_200)
})

test('what was learned is forgotten after an hour', () => {
  const { time, now } = learnedFrom(5, 10)
  expect(time.keptMs(now + HOUR - 60_001)).toBe(4_000)
  expect(time.keptMs(now + HOUR - 60_000)).toBe(8_000)
  expect(time.keptMs(now + HOUR)).toBeUndefined()
})
