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
  expect(bench().fail({ status: 401 })).toBe('channel')
})

test('a refused key condemns only itself while others are left', () => {
  const { fail } = bench(['a', 'b'])
  expect(fail({ status: 401 }, 0)).toBe('key')
  expect(fail({ status: 401 }, 1)).toBe('channel')
})

test('a text a caller can provoke must come three times, with no success between', () => {
  const provoked = { status: 403, type: 'permission_error' }
  const { fail, health, channel } = bench()
  expect([fail(provoked), fail(provoked)]).toEqual(['nothing', 'nothing'])
  health.succeeded(channel, 0)
  expect([fail(provoked), fail(provoked), fail(provoked)]).toEqual(['nothing', 'nothing', 'channel'])
})

test('and within ten minutes', () => {
  const { fail, later } = bench()
  const once = () => fail({ status: 403, type: 'permission_error' })
  once()
  once()
  later(11 * 60_000)
  expect(once()).toBe('nothing')
})

test('a saturated key rests a little', () => {
  const { fail, isResting, later } = bench()
  expect(fail({ status: 429 })).toBe('nothing')
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
  for (let i = 0; i < 10; i++) expect(fail({ status: 400 })).toBe('nothing')
  expect(isResting()).toBe(false)
})

test('a saturated key rests as long as the upstream asks, also for longer than a minute', () => {
  const { channel, health } = bench()
  const failure = verdictOfError(upstreamError({ status: 429 }), {
    channel,
    settings: settingsWith(),
    retryAfterMs: 1_800_000,
  })
  noteFailure({ channel, keyIndex: 0 }, failure, { health, now: () => 0 })
  expect([health.isResting(channel, 1_799_999), health.isResting(channel, 1_800_000)]).toEqual([true, false])
})

test('an open circuit lets one trial through at a time, and opens for twice as long when it fails', () => {
  const { lose, health, channel, isResting, later } = bench()
  for (let i = 0; i < 3; i++) lose()
  later(10_000)
  expect(isResting()).toBe(false)
  health.next(channel, 10_000)
  expect(isResting()).toBe(true)
  lose()
  later(19_999)
  expect(isResting()).toBe(true)
  later(1)
  expect(isResting()).toBe(false)
})

test('a trial that is answered closes the circuit, whatever the answer', () => {
  const { lose, fail, health, channel, isResting, later } = bench()
  for (let i = 0; i < 3; i++) lose()
  later(10_000)
  health.next(channel, 10_000)
  fail({ status: 400 })
  expect(isResting()).toBe(false)
  expect(health.snapshot(channel, 10_000)).toMatchObject([{ state: 'ready' }])
})
