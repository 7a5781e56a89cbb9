import { expect, test } from 'vitest'
import { channelWith, settingsWith, upstreamError } from '../../../../test/relay/parts.ts'
import { KeyHealth } from '../route/key-health.ts'
import { verdictOfBreak } from './break.ts'
import { noteFailure } from './health.ts'
import { verdictOfError } from './verdict.ts'

function harness(keys = ['a']) {
  const health = new KeyHealth()
  const channel = channelWith({ keys })
  let time = 0
  const ports = { health, now: () => time }
  const context = { channel, settings: settingsWith() }
  return {
    health,
    channel,
    asyncJob: (ms: number) => void (time += ms),
    fail: (parts: Parameters<typeof upstreamError>[0], keyIndex = 0) =>
      noteFailure({ channel, keyIndex }, verdictOfError(upstreamError(parts), context), ports),
    lose: () => {
      const failure = verdictOfBreak({ type: 'network', error: new Error('reset') })
      return noteFailure({ channel, keyIndex: 0 }, failure, ports)
    },
    isResting: () => health.isResting(channel, time),
  }
}

test('a refused key disables a channel that has no other key', () => {
  expect(harness().fail({ status: 401 })).toBe('channel')
})

test('a refused key disables only itself while other keys are left', () => {
  const { fail } = harness(['a', 'b'])
  expect(fail({ status: 401 }, 0)).toBe('key')
  expect(fail({ status: 401 }, 1)).toBe('channel')
})

test('an error that a caller can provoke disables only after three times without a success between', () => {
  const provoked = { status: 403, type: 'permission_error' }
  const { fail, health, channel } = harness()
  expect([fail(provoked), fail(provoked)]).toEqual(['nothing', 'nothing'])
  health.succeeded(channel, 0)
  expect([fail(provoked), fail(provoked), fail(provoked)]).toEqual(['nothing', 'nothing', 'channel'])
})

test('errors that a caller can provoke count only within ten minutes', () => {
  const { fail, asyncJob } = harness()
  const once = () => fail({ status: 403, type: 'permission_error' })
  once()
  once()
  asyncJob(11 * 60_000)
  expect(once()).toBe('nothing')
})

test('a rate-limited key cools down for ten seconds', () => {
  const { fail, isResting, asyncJob } = harness()
  expect(fail({ status: 429 })).toBe('nothing')
  expect(isResting()).toBe(true)
  asyncJob(10_000)
  expect(isResting()).toBe(false)
})

test('an upstream that fails three times in a minute cools down', () => {
  const { lose, fail, isResting } = harness()
  lose()
  fail({ status: 500 })
  expect(isResting()).toBe(false)
  lose()
  expect(isResting()).toBe(true)
})

test('a bad request has no effect on the key', () => {
  const { fail, isResting } = harness()
  for (let i = 0; i < 10; i++) expect(fail({ status: 400 })).toBe('nothing')
  expect(isResting()).toBe(false)
})

test('a rate-limited key cools down as long as the upstream asks, even for longer than a minute', () => {
  const { channel, health } = harness()
  const failure = verdictOfError(upstreamError({ status: 429 }), {
    channel,
    settings: settingsWith(),
    retryAfterMs: 1_800_000,
  })
  noteFailure({ channel, keyIndex: 0 }, failure, { health, now: () => 0 })
  expect([health.isResting(channel, 1_799_999), health.isResting(channel, 1_800_000)]).toEqual([true, false])
})

test('an open circuit allows one trial at a time, and a failed trial doubles its time', () => {
  const { lose, health, channel, isResting, asyncJob } = harness()
  for (let i = 0; i < 3; i++) lose()
  asyncJob(10_000)
  expect(isResting()).toBe(false)
  health.next(channel, 10_000)
  expect(isResting()).toBe(true)
  lose()
  asyncJob(19_999)
  expect(isResting()).toBe(true)
  asyncJob(1)
  expect(isResting()).toBe(false)
})

test('a trial that gets any response closes the circuit', () => {
  const { lose, fail, health, channel, isResting, asyncJob } = harness()
  for (let i = 0; i < 3; i++) lose()
  asyncJob(10_000)
  health.next(channel, 10_000)
  fail({ status: 400 })
  expect(isResting()).toBe(false)
  expect(health.snapshot(channel, 10_000)).toMatchObject([{ state: 'ready' }])
})
