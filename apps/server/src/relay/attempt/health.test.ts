import { expect, test } from 'vitest'
import { channelWith, settingsWith, upstreamError } from '../../../test/relay/parts.ts'
import { KeyHealth } from '../route/key-health.ts'
import { verdictOfBreak } from './break.ts'
import { noteFailure } from './health.ts'
import { verdictOfError } from './verdict.ts'

function bench(keys = ['a']) {
  const health = new KeyHealth()
  const channel = channelWith({ keys })
  let time = 0
  const ports = { health, now: () => time }
  const context = { channel, settings: settingsWith() }
  return {
    health,
    channel,
    later: (ms: number) => void (time += ms),
    fail: (parts: Parameters<typeof upstreamError>[0], keyIndex = 0) =>
      noteFailure({ channel, keyIndex }, verdictOfError(upstreamError(parts), context), ports),
    lose: () => {
      const failure = verdictOfBreak({ type: 'network', error: new Error('reset') })
      return noteFailure({ channel, keyIndex: 0 }, failure, ports)
    },
    isResting: () => health.isResting(channel, time),
  }
}

test('a refused key condemns a channel of one key at once', () => {
  expect(bench().fail({ status: 401 })).toBe(true)
})

test('a refused key condemns only itself while others are left', () => {
  const { fail } = bench(['a', 'b'])
  expect(fail({ status: 401 }, 0)).toBe(false)
  expect(fail({ status: 401 }, 1)).toBe(true)
})

test('a text a caller can provoke must come three times, with no success between', () => {
  const provoked = { status: 403, type: 'permission_error' }
  const { fail, health, channel } = bench()
  expect([fail(provoked), fail(provoked)]).toEqual([false, false])
  health.succeeded(channel, 0)
  expect([fail(provoked), fail(provoked), fail(provoked)]).toEqual([false, false, true])
})

test('and within ten minutes', () => {
  const { fail, later } = bench()
  const once = () => fail({ status: 403, type: 'permission_error' })
  once()
  once()
  later(11 * 60_000)
  expect(once()).toBe(false)
})

test('a saturated key rests a little', () => {
  const { fail, isResting, later } = bench()
  expect(fail({ status: 429 })).toBe(false)
  expect(isResting()).toBe(true)
  later(10_000)
  expect(isResting()).toBe(false)
})

test('an upstream that breaks down three times in a minute rests', () => {
  const { lose, fail, isResting } = bench()
  lose()
  fail({ status: 500 })
  expect(isResting()).toBe(false)
  lose()
  expect(isResting()).toBe(true)
})

test('a bad request is nobody’s fault but its own', () => {
  const { fail, isResting } = bench()
  for (let i = 0; i < 10; i++) expect(fail({ status: 400 })).toBe(false)
  expect(isResting()).toBe(false)
})
