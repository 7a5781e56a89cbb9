import { expect, test } from 'vitest'
import { channelWith } from '../../../../test/relay/parts.ts'
import { KeyHealth } from './key-health.ts'

const three = channelWith({ keys: ['a', 'b', 'c'] })

test('keys are used in rotation', () => {
  const health = new KeyHealth()
  expect([1, 2, 3, 4].map((now) => health.next(three, now))).toEqual([0, 1, 2, 0])
})

test('a key in cool-down is skipped until its time; when all are, the one that is ready first is used', () => {
  const health = new KeyHealth()
  health.coolDown(three, 0, 100)
  expect([1, 2, 3].map((now) => health.next(three, now))).toEqual([1, 2, 1])
  health.coolDown(three, 1, 50)
  health.coolDown(three, 2, 70)
  expect(health.isResting(three, 10)).toBe(true)
  expect(health.next(three, 10)).toBe(1)
  expect(health.isResting(three, 60)).toBe(false)
  expect(health.next(three, 120)).not.toBe(-1)
})

test('a channel with one key cools down too, and a longer cool-down is not shortened', () => {
  const health = new KeyHealth()
  const one = channelWith()
  health.coolDown(one, 0, 100)
  health.coolDown(one, 0, 50)
  expect(health.isResting(one, 99)).toBe(true)
  expect(health.isResting(one, 100)).toBe(false)
})

test('failures count within their window and are cleared by a success', () => {
  const health = new KeyHealth()
  const fail = (now: number) => health.recordFailure(three, 1, { now, windowMs: 100 })
  expect([fail(0), fail(50), fail(99)]).toEqual([1, 2, 3])
  expect(fail(120)).toBe(3)
  health.succeeded(three, 1)
  expect(fail(121)).toBe(1)
})

test('a channel has no key left once each was marked as refused', () => {
  const health = new KeyHealth()
  expect([0, 1, 2].map((key) => health.markRefused(three, key))).toEqual([false, false, true])
})

test('a disabled key is never used; other keys of the channel keep their state', () => {
  const health = new KeyHealth()
  const two = { ...three, disabledKeys: new Set([1]) }
  expect([1, 2, 3].map((now) => health.next(two, now))).toEqual([0, 2, 0])
  health.coolDown(two, 0, 100)
  health.coolDown(two, 2, 100)
  expect(health.isResting(two, 10)).toBe(true)
  expect(health.next(two, 10)).not.toBe(1)
  expect(health.markRefused(two, 0)).toBe(false)
  expect(health.markRefused(two, 2)).toBe(true)
})

test('uses are counted per key and reported once', () => {
  const health = new KeyHealth()
  for (let now = 1; now <= 4; now++) health.next(three, now)
  expect(health.takeUses(4)).toEqual([
    { channelId: 1, key: 'a', uses: 2, agoMs: 0 },
    { channelId: 1, key: 'b', uses: 1, agoMs: 2 },
    { channelId: 1, key: 'c', uses: 1, agoMs: 1 },
  ])
  expect(health.takeUses(5)).toEqual([])
})

test('a new key starts with a clean state, and keys that stay keep theirs', () => {
  const health = new KeyHealth()
  health.coolDown(three, 0, 100)
  health.coolDown(three, 1, 100)
  health.coolDown(three, 2, 100)
  expect(health.isResting({ ...three, keys: ['a', 'b', 'c'] }, 1)).toBe(true)
  expect(health.isResting({ ...three, keys: ['a', 'b', 'd'] }, 1)).toBe(false)
})
