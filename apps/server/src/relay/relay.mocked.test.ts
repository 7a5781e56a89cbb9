import { problem } from '@tollgate/problems/problem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { channelWith, heldWith, readingWith } from '../../test/relay/parts.ts'
import type { App } from './app.ts'
import { InFlight } from './in-flight.ts'
import type { Failed, Outcome } from './outcome.ts'
import { chat } from './operations/index.ts'
import type { relay as realRelay } from './relay.ts'
import type { admit } from './stations/admit/admit.ts'
import type { attempt } from './stations/attempt/attempt.ts'
import { verdictOfProblem } from './stations/attempt/verdict.ts'
import type { failedByBug } from './stations/attempt/failed-by-bug.ts'
import type { deliver } from './stations/deliver/deliver.ts'
import type { hold } from './stations/hold/hold.ts'
import type { record } from './stations/record/record.ts'
import { type mayGoOn, noChannel } from './stations/route/go-on.ts'
import type { route } from './stations/route/route.ts'
import type { settle } from './stations/settle/settle.ts'

const stations = {
  admit: vi.fn<typeof admit>(),
  hold: vi.fn<typeof hold>(),
  route: vi.fn<typeof route>(),
  mayGoOn: vi.fn<typeof mayGoOn>(),
  attempt: vi.fn<typeof attempt>(),
  deliver: vi.fn<typeof deliver>(),
  failedByBug: vi.fn<typeof failedByBug>(),
  settle: vi.fn<typeof settle>(),
  record: vi.fn<typeof record>(),
}
const replaced = [
  './stations/admit/admit.ts',
  './stations/hold/hold.ts',
  './stations/route/route.ts',
  './stations/route/go-on.ts',
  './stations/attempt/attempt.ts',
  './stations/attempt/failed-by-bug.ts',
  './stations/deliver/deliver.ts',
  './stations/settle/settle.ts',
  './stations/record/record.ts',
]

let relay: typeof realRelay

// Test files share their modules, so this one loads a relay of its own and leaves none behind.
beforeAll(async () => {
  vi.resetModules()
  for (const path of replaced) vi.doMock(path, () => ({ ...stations, noChannel }))
  ;({ relay } = await import('./relay.ts'))
})
afterAll(() => {
  for (const path of replaced) vi.doUnmock(path)
  vi.resetModules()
})

const choice = { channel: channelWith(), keyIndex: 0 }
const failed: Failed = { type: 'failed', failure: verdictOfProblem('do_request_failed') }
const delivered: Outcome = {
  type: 'delivered',
  ending: 'complete',
  reading: readingWith(),
  channel: choice.channel,
  upstreamModel: 'gpt-4o',
}

/** Replacements of the stations; without one, every station does what it does for a call that goes well. */
interface Parts {
  readonly admit?: typeof admit
  readonly hold?: typeof hold
  readonly route?: typeof route
  readonly attempt?: typeof attempt
  readonly mayGoOn?: typeof mayGoOn
  readonly deliver?: typeof deliver
  readonly settle?: typeof settle
}

afterEach(() => void vi.resetAllMocks())

/** Runs a call through stations that record their names; a test replaces the stations it is about. */
async function walk(parts: Parts = {}): Promise<string[]> {
  const asked: string[] = []
  const held = heldWith()
  const note = <T>(name: string, value: T): T => {
    asked.push(name)
    return value
  }
  stations.admit.mockImplementation(parts.admit ?? (async () => note('admit', held)))
  stations.hold.mockImplementation(parts.hold ?? (async () => note('hold', held)))
  stations.route.mockImplementation(parts.route ?? (() => note('route', choice)))
  stations.attempt.mockImplementation(parts.attempt ?? (async () => note('attempt', delivered)))
  stations.mayGoOn.mockImplementation(parts.mayGoOn ?? (() => note('mayGoOn', false)))
  stations.deliver.mockImplementation(parts.deliver ?? (() => note('deliver', undefined)))
  stations.failedByBug.mockImplementation(() => note('failedByBug', failed))
  stations.settle.mockImplementation(
    parts.settle ?? ((_held, outcome) => note(`settle ${outcome.type}`, undefined)),
  )
  stations.record.mockImplementation(() => note('record', undefined))
  const callRoute = {
    type: 'call',
    operation: chat,
    identity: 'token',
    path: '/v1/chat/completions',
    defaults: {},
  } as const
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the stations that would use the rest are replaced
  const app = { inFlight: new InFlight(), now: () => 0 } as App
  await relay(held.call, callRoute, app).catch((error: Error) => asked.push(`rejected ${error.name}`))
  return asked
}

test('a call passes its stations in order', async () => {
  const attempts = ['route', 'attempt', 'mayGoOn']
  expect(await walk()).toEqual(['admit', 'hold', ...attempts, 'settle delivered', 'deliver', 'record'])
})

test('the end of an answer is delivered after the ledger has the settlement, if that takes time', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const walked = walk({ settle: () => promise })
  await new Promise((turn) => setImmediate(turn))
  expect([stations.attempt.mock.calls.length, stations.deliver.mock.calls.length]).toEqual([1, 0])
  resolve(undefined)
  expect((await walked).slice(-2)).toEqual(['deliver', 'record'])
})

const refuse = () => Promise.reject(problem('token_invalid'))

test('a call refused before the hold is never settled', async () => {
  expect(await walk({ admit: refuse })).toEqual(['rejected Problem'])
  expect(await walk({ hold: refuse })).toEqual(['admit', 'rejected Problem'])
})

test('attempts repeat while they may, and are settled once', async () => {
  let left = 3
  const asked = await walk({ attempt: async () => failed, mayGoOn: () => --left > 0 })
  const routes = ['route', 'route', 'route']
  expect(asked).toEqual(['admit', 'hold', ...routes, 'settle failed', 'deliver', 'record'])
})

test('a call without a channel is refused and its hold released', async () => {
  const outcomes: Outcome[] = []
  const asked = await walk({
    route: () => undefined,
    deliver: (_held, outcome) => void outcomes.push(outcome),
  })
  expect(asked).toEqual(['admit', 'hold', 'settle failed', 'record'])
  expect(outcomes).toMatchObject([{ failure: { code: 'no_channel' } }])
})

test('the next group is tried when the first has no channel left, and the group that served is settled', async () => {
  const next = heldWith({ group: 'second' })
  const settled: unknown[] = []
  const asked = await walk({
    route: ({ group }) => (group === 'second' ? choice : undefined),
    hold: async () => heldWith({ next }),
    settle: ({ group }, outcome) => void settled.push(group, outcome.type),
  })
  expect(asked).toEqual(['admit', 'attempt', 'mayGoOn', 'deliver', 'record'])
  expect(settled).toEqual(['second', 'delivered'])
})

const bug = () => {
  throw new TypeError('a bug')
}

test.each<[string, Parts]>([
  ['route', { route: bug }],
  ['attempt', { attempt: bug }],
  ['the decision to go on', { mayGoOn: bug }],
])('a bug in %s still settles the call exactly once', async (_name, parts) => {
  const asked = await walk(parts)
  expect(asked.slice(-4)).toEqual(['failedByBug', 'settle failed', 'deliver', 'record'])
  expect(asked.filter((name) => name.startsWith('settle'))).toHaveLength(1)
})

test('a bug in delivering the end of an answer leaves the settlement as it is', async () => {
  const asked = await walk({ deliver: bug })
  expect(asked.slice(-2)).toEqual(['settle delivered', 'rejected TypeError'])
})
