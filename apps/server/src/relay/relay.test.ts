import { problem } from '@tollgate/kit/problem'
import { expect, test } from 'vitest'
import { channelWith, heldWith, readingWith } from '../../test/relay/parts.ts'
import { verdictOfProblem } from './stations/attempt/verdict.ts'
import type { Outcome } from './outcome.ts'
import { relay, type Stations } from './relay.ts'

const choice = { channel: channelWith(), keyIndex: 0 }
const failed: Outcome = { type: 'failed', failure: verdictOfProblem('do_request_failed') }
const delivered: Outcome = {
  type: 'delivered',
  ending: 'complete',
  reading: readingWith(),
  channel: choice.channel,
  upstreamModel: 'gpt-4o',
}

/** Runs a call through stations that record their names; a test replaces the stations it is about. */
async function walk(parts: Partial<Stations> = {}): Promise<string[]> {
  const asked: string[] = []
  const held = heldWith()
  const note = <T>(name: string, value: T): T => {
    asked.push(name)
    return value
  }
  const stations: Stations = {
    admit: async () => note('admit', held),
    hold: async () => note('hold', held),
    route: () => note('route', choice),
    attempt: async () => note('attempt', delivered),
    noChannel: () => note('noChannel', failed),
    elsewhere: () => undefined,
    mayTryAgain: () => note('mayTryAgain', false),
    failedBy: () => note('failedBy', failed),
    refuse: () => note('refuse', undefined),
    settle: (_held, exit) => note(`settle ${exit.type}`, undefined),
    ...parts,
  }
  const relayRoute = {
    type: 'call',
    operation: 'chat',
    identity: 'token',
    path: '/v1/chat/completions',
    defaults: {},
  } as const
  await relay(held.call, relayRoute, stations).catch((error: Error) => asked.push(`rejected ${error.name}`))
  return asked
}

test('a call passes its stations in order', async () => {
  const order = ['admit', 'hold', 'route', 'attempt', 'mayTryAgain', 'refuse', 'settle delivered']
  expect(await walk()).toEqual(order)
})

test('a call refused before the hold is never settled', async () => {
  const refused = Promise.reject(problem('token_invalid'))
  expect(await walk({ admit: () => refused })).toEqual(['rejected Problem'])
  expect(await walk({ hold: () => refused })).toEqual(['admit', 'rejected Problem'])
})

test('attempts repeat while they may, and are settled once', async () => {
  let left = 3
  const asked = await walk({ attempt: async () => failed, mayTryAgain: () => --left > 0 })
  expect(asked).toEqual(['admit', 'hold', 'route', 'route', 'route', 'refuse', 'settle failed'])
})

test('a call without a channel is refused and its hold released', async () => {
  const asked = await walk({ route: () => undefined })
  expect(asked).toEqual(['admit', 'hold', 'noChannel', 'refuse', 'settle failed'])
})

test('the next group is tried when the first has no channel left, and the group that served is settled', async () => {
  const next = heldWith({ group: 'second' })
  const settled: unknown[] = []
  const asked = await walk({
    route: ({ group }) => (group === 'second' ? choice : undefined),
    elsewhere: ({ group }) => (group === 'default' ? next : undefined),
    settle: ({ group }, exit) => void settled.push(group, exit.type),
  })
  expect(asked).toEqual(['admit', 'hold', 'attempt', 'mayTryAgain', 'refuse'])
  expect(settled).toEqual(['second', 'delivered'])
})

const bug = () => {
  throw new TypeError('a bug')
}

test.each<[string, Partial<Stations>]>([
  ['route', { route: bug }],
  ['attempt', { attempt: bug }],
  ['the decision to go on', { mayTryAgain: bug }],
  ['refusing', { refuse: bug }],
])('a bug in %s still settles the call exactly once', async (_name, parts) => {
  const asked = await walk(parts)
  expect(asked.slice(-2)).toEqual(['failedBy', 'settle failed'])
  expect(asked.filter((name) => name.startsWith('settle'))).toHaveLength(1)
})
