import { expect, test } from 'vitest'
import { channelWith } from '../../test/relay/parts.ts'
import type { RosterChannel } from '../snapshots/snapshots.ts'
import { buildRoster } from '../snapshots/roster.ts'
import type { RouteQuestion } from '../ports/channel-insight.ts'
import { createExplain } from './explain.ts'
import { KeyHealth } from './stations/route/key-health.ts'

const { provider } = channelWith()
const speaking = {
  ...provider,
  endpoints: {
    chat: [
      { dialect: 'openai', url: () => '', quirks: [], readUsage: () => undefined, streamOptions: true },
    ] as const,
  },
}
const channel = (parts: Partial<RosterChannel>) => channelWith({ provider: speaking, ...parts })

function explaining(channels: readonly RosterChannel[], health = new KeyHealth()) {
  const roster = buildRoster({ channels, withdrawn: new Set(), providers: [] })
  let chance = 0
  const random = () => (chance = (chance + 0.01) % 1)
  const explain = createExplain({ snapshots: { roster: () => roster }, health, now: () => 0, random })
  return (parts: Partial<RouteQuestion> = {}) =>
    explain({
      group: 'default',
      model: 'gpt-4o',
      operation: 'chat',
      retries: 1,
      failing: new Set(),
      draws: 100,
      ...parts,
    })
}

test('candidates are listed in tiers with their shares, and the dry runs draw accordingly', () => {
  const explain = explaining([
    channel({ id: 1, priority: 5, weight: 20 }),
    channel({ id: 2, priority: 5 }),
    channel({ id: 3 }),
  ])
  const { channels, attempts, unserved } = explain()
  expect(channels.map(({ channel: { id }, tier, share }) => [id, tier, share])).toEqual([
    [1, 0, 0.75],
    [2, 0, 0.25],
    [3, 1, 1],
  ])
  const [first, second] = attempts
  expect(first?.get(1)).toBeGreaterThan(60)
  expect((first?.get(1) ?? 0) + (first?.get(2) ?? 0)).toBe(100)
  expect([second?.size, unserved]).toEqual([0, 0])
})

test('a failing channel leads to the next tier; when all fail, the call is not served', () => {
  const explain = explaining([channel({ id: 1, priority: 5 }), channel({ id: 2 })])
  const one = explain({ failing: new Set([1]) })
  expect(one.attempts.map((drawn) => [...drawn])).toEqual([[[1, 100]], [[2, 100]]])
  expect(one.unserved).toBe(0)
  expect(explain({ failing: new Set([1, 2]) }).unserved).toBe(100)
})

test('a channel in cool-down is reported as such, and drawn after the others', () => {
  const health = new KeyHealth()
  const resting = channel({ id: 1, priority: 5, keys: ['a', 'b'] })
  health.coolDown(resting, 0, 100)
  health.coolDown(resting, 1, 100)
  const { channels, attempts } = explaining([resting, channel({ id: 2 })], health)()
  expect(channels[0]).toMatchObject({ standing: 'resting', keysReady: 0 })
  expect([...(attempts[0] ?? [])]).toEqual([[2, 100]])
})
