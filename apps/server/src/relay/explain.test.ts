import { expect, test } from 'vitest'
import { affinityRulesSchema } from '@tollgate/contract/options/affinity-rules'
import { channelWith, ownerWith, settingsWith, tokenWith } from '../../test/relay/parts.ts'
import { affinityRules } from '../snapshots/affinity-rules.ts'
import type { RosterChannel } from '../snapshots/snapshots.ts'
import { buildRoster } from '../snapshots/roster.ts'
import type { RouteQuestion } from '../ports/channel-insight.ts'
import { type Binding, bindingTo } from './affinity/binding.ts'
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

function explaining(
  channels: readonly RosterChannel[],
  {
    health = new KeyHealth(),
    bindings = new Map<string, Binding>(),
    rules = [],
    isOn = true,
  }: {
    health?: KeyHealth
    bindings?: Map<string, Binding>
    rules?: readonly object[]
    isOn?: boolean
  } = {},
) {
  const roster = buildRoster({ channels, withdrawn: new Set(), providers: [] })
  let chance = 0
  const random = () => (chance = (chance + 0.01) % 1)
  const asked: string[] = []
  const affinity = {
    find: async (session: string) => {
      asked.push(session)
      return bindings
    },
  }
  const stored = affinityRules(affinityRulesSchema.parse(rules), (pattern) => {
    throw new Error(pattern)
  })
  const site = { lifetimeMs: 1, shortMs: 1, isMoved: true, entriesMax: 10, rules: stored }
  const settings = settingsWith({ affinity: isOn ? site : undefined })
  const explain = createExplain({
    snapshots: { roster: () => roster, settings: () => settings },
    health,
    affinity,
    sessionNamed: (ownerId, name) => `${ownerId} ${name}`,
    now: () => 0,
    random,
  })
  const ask = (parts: Partial<RouteQuestion> = {}) =>
    explain({
      group: 'default',
      model: 'gpt-4o',
      operation: 'chat',
      retries: 1,
      failing: new Set(),
      draws: 100,
      ...parts,
    })
  return Object.assign(ask, { asked })
}

test('candidates are listed in tiers with their shares, and the dry runs draw accordingly', async () => {
  const explain = explaining([
    channel({ id: 1, priority: 5, weight: 20 }),
    channel({ id: 2, priority: 5 }),
    channel({ id: 3 }),
  ])
  const { channels, attempts, unserved } = await explain()
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

test('a failing channel leads to the next tier; when all fail, the call is not served', async () => {
  const explain = explaining([channel({ id: 1, priority: 5 }), channel({ id: 2 })])
  const one = await explain({ failing: new Set([1]) })
  expect(one.attempts.map((drawn) => [...drawn])).toEqual([[[1, 100]], [[2, 100]]])
  expect(one.unserved).toBe(0)
  expect((await explain({ failing: new Set([1, 2]) })).unserved).toBe(100)
})

test('a channel in cool-down is reported as such, and drawn after the others', async () => {
  const health = new KeyHealth()
  const resting = channel({ id: 1, priority: 5, keys: ['a', 'b'] })
  health.coolDown(resting, 0, 100)
  health.coolDown(resting, 1, 100)
  const { channels, attempts } = await explaining([resting, channel({ id: 2 })], { health })()
  expect(channels[0]).toMatchObject({ standing: 'resting', keysReady: 0 })
  expect([...(attempts[0] ?? [])]).toEqual([[2, 100]])
})

test('the channel of a session is taken first within its tier, unless its key is in cool-down', async () => {
  const keys = ['a', 'b']
  const bound = channel({ id: 2, keys })
  const bindings = new Map([['default', bindingTo({ channel: bound, keyIndex: 1 }, 1)]])
  const channels = [channel({ id: 1 }), bound]
  const found = await explaining(channels, { bindings })({ session: 's' })
  expect(found.affinity).toEqual({ result: 'bound', channelId: 2, keyIndex: 1 })
  expect([...(found.attempts[0] ?? [])]).toEqual([[2, 100]])
  const health = new KeyHealth()
  health.coolDown(bound, 1, 5_000)
  const cooling = await explaining(channels, { health, bindings })({ session: 's' })
  expect(cooling.affinity).toEqual({ result: 'moved', channelId: 2, keyIndex: 1 })
  expect(cooling.attempts[0]?.get(1)).toBeGreaterThan(20)
  const lower = await explaining([channel({ id: 1, priority: 9 }), bound], { bindings })({ session: 's' })
  expect(lower.affinity).toMatchObject({ result: 'moved' })
  expect((await explaining(channels)({ session: 's' })).affinity).toEqual({ result: 'new' })
  expect((await explaining(channels, { bindings })()).affinity).toBeUndefined()
})

const PROJECT = {
  name: 'project',
  model_regex: ['^gpt-'],
  path_regex: ['/v1/responses'],
  key_sources: [{ type: 'gjson', path: 'metadata.project' }],
  value_regex: '^[a-z]+$',
  include_rule_name: true,
  skip_retry_on_failure: true,
}
const BY_TOKEN = { name: 'by token', key_sources: [{ type: 'context_int', key: 'token_id' }] }
const ruled = { owner: ownerWith({ id: 3 }), token: tokenWith({ id: 7 }), rule: 'project', value: 'blue' }

test('the session of a rule goes to its bound channel, and to no other when that one fails', async () => {
  const bound = channel({ id: 2 })
  const bindings = new Map([['default', bindingTo({ channel: bound, keyIndex: 0 }, 1)]])
  const explain = explaining([channel({ id: 1 }), bound], { bindings, rules: [PROJECT, BY_TOKEN] })
  const found = await explain({ ruled, failing: new Set([2]) })
  expect(found.affinity).toEqual({
    result: 'bound',
    channelId: 2,
    keyIndex: 0,
    rule: { name: 'project', staysOnFailure: true },
  })
  expect(found.attempts.map((drawn) => [...drawn])).toEqual([[[2, 100]], []])
  expect(found.unserved).toBe(100)
  expect(found.rules).toEqual(['project', 'by token'])
  const byToken = await explain({ ruled: { ...ruled, rule: 'by token', value: '' }, failing: new Set([2]) })
  expect(byToken.affinity).toMatchObject({ result: 'bound', rule: { staysOnFailure: false } })
  expect(byToken.unserved).toBe(0)
  expect(explain.asked).toEqual(['3 rule project\nblue', '3 rule \n7'])
})

test('a rule that does not take the call is named as the reason, and a channel is drawn', async () => {
  const bindings = new Map([['default', bindingTo({ channel: channel({ id: 2 }), keyIndex: 0 }, 1)]])
  const setup = { bindings, rules: [PROJECT] }
  const explain = explaining([channel({ id: 1 }), channel({ id: 2, models: ['gpt-4o', 'o1'] })], setup)
  const reasonOf = async (parts: Partial<RouteQuestion>) => (await explain(parts)).affinity
  expect(await reasonOf({ ruled: { ...ruled, rule: 'other' } })).toEqual({ result: 'none', reason: 'rule' })
  expect(await reasonOf({ ruled, model: 'o1' })).toEqual({ result: 'none', reason: 'model' })
  expect(await reasonOf({ ruled: { ...ruled, value: 'Blue!' } })).toEqual({ result: 'none', reason: 'value' })
  expect(await reasonOf({ ruled: { ...ruled, value: '' } })).toEqual({ result: 'none', reason: 'value' })
  const drawn = await explain({ ruled: { ...ruled, value: '' } })
  expect(drawn.attempts[0]?.get(1)).toBeGreaterThan(20)
  const off = await explaining([channel({ id: 1 })], { ...setup, isOn: false })({ session: 's' })
  expect(off.affinity).toEqual({ result: 'none', reason: 'off' })
  expect(off.rules).toEqual([])
})
