import { ManualClock } from '@tollgate/kit/clock'
import { expect, test } from 'vitest'
import { silentCall } from '../../../../test/relay/parts.ts'
import type { Outcome } from '../../outcome.ts'
import { AnswerRooms } from '../../answers/answer-rooms.ts'
import { TurnShare } from '../../answers/turn-share.ts'
import { defaultRelayLimits } from '../../limits.ts'
import { Watch } from '../../watch.ts'
import type { BreakReason } from './break.ts'
import { Exchange, type Sink } from './exchange.ts'
import { verdictOfProblem } from './verdict.ts'

function harness(parts: Partial<Sink> = {}) {
  const clock = new ManualClock()
  const call = silentCall(clock)
  const exits: Outcome[] = []
  const bugs: unknown[] = []
  const reasons: BreakReason['type'][] = []
  const aborted: unknown[] = []
  const followed: (() => void)[] = []
  const ends: string[] = []
  const watch = new Watch(clock, (bug) => bugs.push(bug))
  const exchange: Exchange = new Exchange({
    call,
    limits: defaultRelayLimits,
    watch,
    now: () => clock.monotonicMs(),
    receive: () => ({
      data: () => undefined,
      end: () => exchange.finish(failed),
      broke: ({ type }) => {
        reasons.push(type)
        exchange.finish(failed)
      },
      tick: () => undefined,
      ...parts,
    }),
    turns: new TurnShare(),
    openRoom: (onRoom) => new AnswerRooms(defaultRelayLimits, watch).open(call, 1, onRoom),
    waiting: () => undefined,
    resend: () => false,
    follow: (displace) => {
      followed.push(displace)
      return { end: () => void ends.push('ended') }
    },
    done: (exit) => exits.push(exit),
    onBug: (bug) => bugs.push(bug),
  })
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason: unknown) => void aborted.push(reason),
    pause: () => undefined,
    resume: () => undefined,
  }
  const after = (ms: number) => {
    clock.advance(ms)
    watch.tick()
  }
  watch.close()
  return { exchange, call, controller, exits, bugs, reasons, aborted, after, watch, followed, ends }
}

const failed: Outcome = { type: 'failed', failure: verdictOfProblem('empty_response') }
const chunk = Buffer.from('x')

function throws(): never {
  throw new TypeError('a bug')
}

function answering(parts: Partial<Sink> = {}) {
  const parts_ = harness(parts)
  parts_.exchange.onRequestStart(parts_.controller)
  parts_.exchange.onResponseStart(parts_.controller, 200, {})
  return parts_
}

test('an exchange ends exactly once, whatever events follow', () => {
  const { exchange, controller, exits, aborted } = answering()
  exchange.onResponseEnd()
  exchange.onResponseError(controller, new Error('late'))
  exchange.stopNow()
  exchange.onResponseData(controller, chunk)
  expect([exits.length, aborted.length]).toEqual([1, 0])
})

test('finishing an exchange aborts the rest of the response', () => {
  const { exchange, aborted } = answering()
  exchange.finish(failed)
  expect(aborted).toHaveLength(1)
})

test('after the last event the upstream has a moment to end the response itself', () => {
  const { exchange, controller, exits, aborted, after } = answering()
  exchange.finishEarly(failed)
  exchange.onResponseData(controller, chunk)
  after(4_000)
  exchange.onResponseEnd()
  after(10_000)
  expect([exits.length, aborted.length]).toEqual([1, 0])
})

test('an upstream that keeps a response open after the last event is not waited for', () => {
  const { exchange, exits, aborted, after } = answering()
  exchange.finishEarly(failed)
  after(4_000)
  expect(aborted).toHaveLength(0)
  after(1_000)
  after(1_000)
  expect([exits.length, aborted.length]).toEqual([1, 1])
})

test('a shutdown does not wait for upstreams that keep a response open', () => {
  const { exchange, exits, aborted, watch } = answering()
  exchange.finishEarly(failed)
  watch.stopAll()
  expect([exits.length, aborted.length]).toEqual([1, 1])
})

test('a request that was stopped before it was sent is aborted', () => {
  const { exchange, controller, aborted, exits } = harness()
  exchange.stopNow()
  exchange.onRequestStart(controller)
  expect([exits.length, aborted.length]).toEqual([1, 1])
})

test.each(['data', 'end', 'broke', 'tick'] as const)(
  'a bug in the `%s` handler ends the exchange with an internal error',
  (where) => {
    const { exchange, controller, exits, bugs, after } = answering({ [where]: throws })
    exchange.onResponseData(controller, chunk)
    if (where === 'tick') after(10)
    if (where === 'broke') exchange.onResponseError(controller, new Error('reset'))
    else exchange.onResponseEnd()
    expect(bugs).toEqual([new TypeError('a bug')])
    expect(exits).toMatchObject([{ type: 'failed', failure: { code: 'internal_error', isRetryable: false } }])
  },
)

test('an exchange ends at the limits for the first byte, for silence and for total time', () => {
  const waiting = harness()
  waiting.after(defaultRelayLimits.firstByteMs)
  expect(waiting.exits).toMatchObject([{ failure: { code: 'first_byte_timeout' } }])

  const onlyHead = answering()
  onlyHead.after(defaultRelayLimits.idleMs + 1)
  expect(onlyHead.reasons).toEqual([])
  onlyHead.after(defaultRelayLimits.firstByteMs)
  expect(onlyHead.reasons).toEqual(['first-byte-timeout'])

  const silent = answering()
  silent.exchange.onResponseData(silent.controller, chunk)
  silent.after(defaultRelayLimits.idleMs)
  expect(silent.reasons).toEqual(['idle'])

  const endless = answering()
  for (let i = 0; i < 61; i++) {
    endless.exchange.onResponseData(endless.controller, chunk)
    endless.after(defaultRelayLimits.idleMs - 1)
    endless.exchange.onResponseData(endless.controller, chunk)
  }
  expect(endless.reasons).toEqual(['too-long'])
})

test('after the caller has left, the response is read to its own limits', () => {
  const { exchange, controller, call, reasons, after, followed, ends } = answering()
  call.response.emit('close')
  for (let i = 0; i < 3; i++) {
    exchange.onResponseData(controller, chunk)
    after(defaultRelayLimits.idleMs - 1)
  }
  expect([reasons, followed.length, ends]).toEqual([[], 1, []])
  after(1)
  expect([reasons, ends]).toEqual([['idle'], ['ended']])
})

test.each([
  ['by the client', false, true, []],
  ['by its controller', true, false, []],
  ['not at all', false, false, ['left-unsent']],
])(
  'a request that was sent whole, as told %s, goes on when its caller leaves',
  (_name, isFlushed, isTold, codes) => {
    const { exchange, controller, call, exits, aborted } = harness()
    exchange.onRequestStart(Object.assign(controller, { isRequestSent: isFlushed }))
    if (isTold) exchange.onRequestSent()
    call.response.emit('close')
    const details = exits.flatMap((exit) => (exit.type === 'failed' ? exit.failure.detail : []))
    expect([details, aborted.length]).toEqual([codes, codes.length])
  },
)

test('a request that waits for a connection ends when its caller leaves', () => {
  const { call, exits } = harness()
  call.response.emit('close')
  expect(exits).toMatchObject([{ failure: { detail: 'left-unsent', isRetryable: false } }])
})

test('an upstream that had begun to fail is not paid by who is displaced', () => {
  const { exchange, controller, call, followed, reasons } = harness()
  exchange.onRequestStart(controller)
  exchange.onResponseStart(controller, 503, {})
  call.response.emit('close')
  followed[0]?.()
  expect([reasons, exchange.request.isDisplaced]).toEqual([['displaced'], false])
})

test('silence of the upstream does not count while the gateway has paused it', () => {
  const { exchange, controller, reasons, after, call } = answering()
  exchange.onResponseData(controller, chunk)
  exchange.pause()
  after(defaultRelayLimits.idleMs - 1)
  exchange.resume()
  after(defaultRelayLimits.idleMs - 1)
  expect(reasons).toEqual([])
  exchange.pause()
  after(defaultRelayLimits.idleMs)
  expect(call.response.destroyed).toBe(true)
})

test('stopping the watch ends the exchanges under way', () => {
  const { watch, exits } = harness()
  watch.stopAll()
  expect(exits).toMatchObject([{ failure: { code: 'gateway_stopping' } }])
})
